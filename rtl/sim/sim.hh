// The accelerator in simulation behind its driver, without the headers of the simulator.
#ifndef TY_SIM_SIM_HH
#define TY_SIM_SIM_HH

#include "tongyu/accel.h"
#include "tongyu/base.h"

#include <memory>

class SimulatedAccel {
public:
  // rng is the source of its random port; throws if the device does not answer
  explicit SimulatedAccel(const ty_rng *rng);
  ~SimulatedAccel();
  ty_accel *driver();
  uint32_t runs() const;   // multiplications so far

private:
    struct Inside;
    std::unique_ptr<Inside> inside;
};

#endif
