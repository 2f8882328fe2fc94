/* --engine: whether the library or the simulated accelerator multiplies points on binary
 * curves. */
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

    /* The driver of the simulated device. Throws if this build has none, or if the device does not
     * support the curve; curve is NULL, which throws, for a key that is not on a binary curve. */
    ty_accel *device(const ty_ec_curve *curve);

    /* The same for signatures. Throws for DSTU 4145 and for several files as well: the device signs
     * and verifies with ECDSA only, one file at a time. */
    ty_accel *ecdsa_device(const ty_ec_curve *curve, bool dstu, bool several);

    /* "engine", "cycles" of a multiplication, and "multiplications"; nothing for the library */
    void report(Json &result) const;

private:
    std::string name = "library";
    std::unique_ptr<SimulatedAccel> sim;
};

#endif
