// The accelerator in simulation behind its driver, for programs that need not know how it is
// simulated.
#ifndef TY_SIM_SIM_HH
#define TY_SIM_SIM_HH

#include "tongyu/accel.h"
#include "tongyu/base.h"

#include <memory>

class SimulatedAccel {
public:
  explicit SimulatedAccel(
      const ty_rng *rng);   // what its random port gives; throws where the device does not answer
  ~SimulatedAccel();
  ty_accel *driver();
  uint32_t runs() const;   // multiplications so far

private:
    struct Inside;
    std::unique_ptr<Inside> inside;
};

#endif
