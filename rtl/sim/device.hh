// The accelerator in simulation: a clock, a random source, and AXI4-Lite transfers as the two
// functions that the driver needs.
#ifndef TY_SIM_DEVICE_HH
#define TY_SIM_DEVICE_HH

#include "coverage.hh"
#include "tongyu/accel.h"

#include <verilated.h>

#include <cstdint>
#include <functional>
#include <memory>

template <class Top>
class Device {
public:
    // The random source, and whether it has a word in this cycle; by default it always has.
    std::function<uint32_t()> random;
    std::function<bool()> random_has = [] { return true; };
    // Called after every rising edge.
    std::function<void()> watch = [] {};
    uint64_t now = 0;
    uint32_t last_response = 0;
    int stall = 0;   // cycles by which the host delays rready and bready

    explicit Device(std::function<uint32_t()> source)
        : random(std::move(source)), context(new VerilatedContext)
    {
        context->randReset(2);   // registers have random values until they are reset
        context->randSeed(1);
        top.reset(new Top(context.get()));
        top->key_valid = 0;
        top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_bready = top->s_axil_arvalid =
            top->s_axil_rready = 0;
        top->s_axil_wstrb = 15;
        reset();
    }
    ~Device()
    {
        // the model's destructor uses the thread's context, which may be that of a deleted model
        Verilated::threadContextp(context.get());
        top->final();
        save_coverage(*context);
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    Top &pins() { return *top; }

    void reset()
    {
        top->rst = 1;
        tick();
        tick();
        top->rst = 0;
    }

    void tick()
    {
        top->random_valid = random_has();
        if (top->random_valid) top->random_data = next;
        top->clk = 0;
        top->eval();
        const bool taken = top->random_valid && top->random_take;
        top->clk = 1;
        top->eval();
        if (taken) next = random();
        now++;
        watch();
    }

    uint32_t read(uint32_t offset)
    {
        top->s_axil_araddr = static_cast<uint8_t>(offset);
        top->s_axil_arvalid = 1;
        wait([this] { return top->s_axil_arready; });
        top->s_axil_arvalid = 0;
        for (int i = 0; i < stall; i++) tick();
        top->s_axil_rready = 1;
        uint32_t value = 0;
        wait([&] {
            value = top->s_axil_rdata;
            last_response = top->s_axil_rresp;
            return top->s_axil_rvalid;
        });
        top->s_axil_rready = 0;
        return value;
    }

    void write(uint32_t offset, uint32_t value)
    {
        top->s_axil_awaddr = static_cast<uint8_t>(offset);
        top->s_axil_wdata = value;
        top->s_axil_awvalid = top->s_axil_wvalid = 1;
        wait([this] { return top->s_axil_awready && top->s_axil_wready; });
        top->s_axil_awvalid = top->s_axil_wvalid = 0;
        for (int i = 0; i < stall; i++) tick();
        top->s_axil_bready = 1;
        wait([this] { last_response = top->s_axil_bresp; return top->s_axil_bvalid; });
        top->s_axil_bready = 0;
    }

    ty_accel_bus bus()
    {
        return {[](void *d, uint32_t offset) { return static_cast<Device *>(d)->read(offset); },
                [](void *d, uint32_t offset, uint32_t value) {
                    static_cast<Device *>(d)->write(offset, value);
                },
                this};
    }

private:
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Top> top;
    uint32_t next = 1;

    // Runs at least one cycle, until the condition held before a rising edge.
    template <class Condition>
    void wait(Condition held)
    {
        for (int i = 0; i < 1000; i++) {
            top->clk = 0;
            top->eval();
            const bool yes = held();
            tick();
            if (yes) return;
        }
        hung = true;
    }

public:
    bool hung = false;
};

#endif
