#include "sim.hh"

#include "accel/accel_const.h"
#include "device.hh"

#include "Vaccel.h"

#include <stdexcept>

struct SimulatedAccel::Inside {
    Device<Vaccel> device;
    ty_accel accel;
    uint32_t runs = 0;

    explicit Inside(const ty_rng *rng)
        : device([rng] {
              uint32_t word = 0;
              if (rng->fill(rng->ctx, reinterpret_cast<uint8_t *>(&word), sizeof word) != TY_OK)
                  throw std::runtime_error("the random source does not answer");
              return word;
          })
    {
    }
    static uint32_t read(void *ctx, uint32_t offset)
    {
        return static_cast<Inside *>(ctx)->device.read(offset);
    }
    static void write(void *ctx, uint32_t offset, uint32_t value)
    {
        auto *self = static_cast<Inside *>(ctx);
        self->device.write(offset, value);
        self->runs += offset == TY_ACCEL_COMMAND &&
                      (value == TY_ACCEL_DO_START || value == TY_ACCEL_DO_ADD);
    }
};

SimulatedAccel::SimulatedAccel(const ty_rng *rng) : inside(new Inside(rng))
{
    const ty_accel_bus bus = {Inside::read, Inside::write, inside.get()};
    if (ty_accel_init(&inside->accel, &bus) != TY_OK)
        throw std::runtime_error("the simulated device does not answer");
}

SimulatedAccel::~SimulatedAccel() = default;
ty_accel *SimulatedAccel::driver() { return &inside->accel; }
uint32_t SimulatedAccel::runs() const { return inside->runs; }
