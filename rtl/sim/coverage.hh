// In a build of rtl/tools/coverage.py, writes what a circuit has executed; else does nothing.
#ifndef TY_SIM_COVERAGE_HH
#define TY_SIM_COVERAGE_HH

#include <verilated.h>

#if defined(VM_COVERAGE) && VM_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>

#include <cstdlib>
#include <string>

// Writes a new file in the folder that TY_COVERAGE names; the circuit must still exist.
inline void save_coverage(VerilatedContext &context)
{
    static int count;
    if (const char *folder = std::getenv("TY_COVERAGE"))
        context.coveragep()->write((std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                                    std::to_string(count++) + ".dat")
                                       .c_str());
}
#else
inline void save_coverage(VerilatedContext &) {}
#endif

#endif
