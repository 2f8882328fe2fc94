// In a build of rtl/tools/coverage.py, writes what a circuit has executed; else does nothing.
#ifndef TY_SIM_COVERAGE_HH
#define TY_SIM_COVERAGE_HH

#include <verilated.h>

#if defined(VM_COVERAGE) && VM_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

// Called by rtl/tools/states.sv: an image of the microprogram, and the address of a word or -1.
inline std::set<std::array<int, 4>> executed_words;
extern "C" __attribute__((used)) inline void ty_word(int c, int generic, int multipliers,
                                                     int address)
{
    executed_words.insert({c, generic, multipliers, address});
}

// Writes a new file in the folder that TY_COVERAGE names; the circuit must still exist. And all
// words of this process so far.
inline void save_coverage(VerilatedContext &context)
{
    static int count;
    const char *folder = std::getenv("TY_COVERAGE");
    if (!folder) return;
    const std::string name = std::string(folder) + "/" + std::to_string(getpid());
    context.coveragep()->write((name + "-" + std::to_string(count++) + ".dat").c_str());
    std::ofstream out(name + ".words");
    for (const auto &[c, generic, multipliers, address] : executed_words)
        out << c << " " << generic << " " << multipliers << " " << address << "\n";
}
#else
inline void save_coverage(VerilatedContext &) {}
#endif

#endif
