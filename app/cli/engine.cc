#include "engine.hpp"

#include "tongyu/os.h"

#if defined(TONGYU_HAS_SIM)
#include "../../rtl/sim/sim.hh"
#else
class SimulatedAccel {};
#endif

Engine::Engine() = default;
Engine::~Engine() = default;

void Engine::add_option(CLI::App *app)
{
    add_choice(app, "--engine", name, { "library", "sim" },
               "Binary curves: the engine that multiplies points; sim is the simulated accelerator")
        ->capture_default_str();
}

ty_accel *Engine::device(const ty_ec_curve *curve)
{
    if (!curve)
        throw Failure(EXIT_USAGE,
                      "--engine sim: the accelerator is for binary curves, and the key is not "
                      "on one",
                      "omit --engine");
#if defined(TONGYU_HAS_SIM)
    if (!sim) sim = std::make_unique<SimulatedAccel>(ty_rng_system());
    if (!ty_accel_has(sim->driver(), curve))
        throw Failure(
            EXIT_INPUT,
            "--engine sim: the accelerator supports fields of up to 255 bits, and this one has " +
                std::to_string(ty_ec_field_bits(curve)),
            "omit --engine");
    return sim->driver();
#else
    throw Failure(EXIT_USAGE, "--engine sim: this build has no simulated accelerator",
                  "install Verilator, configure with -DTONGYU_SIM=ON and build again");
#endif
}

ty_accel *Engine::ecdsa_device(const ty_ec_curve *curve, bool dstu, bool several)
{
    if (dstu)
        throw Failure(EXIT_USAGE,
                      "--engine sim: the accelerator signs with ECDSA, not with DSTU 4145",
                      "omit --engine");
    if (several)
        throw Failure(EXIT_USAGE, "--engine sim: the accelerator takes one file at a time",
                      "name one file, or omit --engine");
    return device(curve);
}

void Engine::report(Json &result) const
{
#if defined(TONGYU_HAS_SIM)
    if (!sim) return;
    result["engine"] = name;
    result["cycles"] = ty_accel_cycles(sim->driver());
    result["multiplications"] = sim->runs();
#else
    (void)result;
#endif
}
