/* --engine: who multiplies points on binary curves, the library or the accelerator in
 * simulation. */
#ifndef TONGYU_CLI_ENGINE_HPP
#define TONGYU_CLI_ENGINE_HPP

#include "context.hpp"
#include "tongyu/accel.h"

#include <memory>

class SimulatedAccel;

class Engine {
public:
    Engine();
    ~Engine();
    void add_option(CLI::App *app);
    bool simulated() const { return name == "sim"; }

    /* The driver of the simulated device. Throws where this build has none, or where it does not
     * take the curve; curve is NULL for keys that are on none of its kind. */
    ty_accel *device(const ty_ec_curve *curve);

    /* The same for ECDSA, which is all that the device signs and verifies by, one file at a
     * time. */
    ty_accel *ecdsa_device(const ty_ec_curve *curve, bool dstu, bool several);

    /* "engine", "cycles" of a multiplication, and "multiplications"; nothing for the library */
    void report(Json &result) const;

private:
    std::string name = "library";
    std::unique_ptr<SimulatedAccel> sim;
};

#endif
