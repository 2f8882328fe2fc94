// The system of soc.sv with a clock: prints what the firmware prints, and how many cycles it took.
#include "Vsoc.h"

#include <cstdio>
#include <memory>
#include <random>

int main(int argc, char **argv)
{
    const auto context = std::make_unique<VerilatedContext>();
    context->commandArgs(argc, argv);
    const auto top = std::make_unique<Vsoc>(context.get());
    std::mt19937 noise(1);
    top->rst = 1;
    for (uint64_t cycle = 0; cycle < 20'000'000; cycle++) {
        if (cycle == 8) top->rst = 0;
        top->random_valid = 1;
        if (top->random_take) top->random_data = static_cast<uint32_t>(noise());
        top->clk = 0;
        top->eval();
        if (top->char_valid && !top->rst) std::putchar(top->char_data);
        top->clk = 1;
        top->eval();
        if (top->trap && !top->rst) {
            std::printf("%llu cycles of the system\n", static_cast<unsigned long long>(cycle));
            return 0;
        }
    }
    std::puts("the firmware does not end");
    return 1;
}
