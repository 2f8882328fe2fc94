// The kernels of the engines of a modulus, at every length that they have: against their definition in
// schoolbook integers, with moduli and factors at the ends of their ranges.
#include "limb/limbs.hpp"
#include "support/full.hpp"
#include "support/tiers.hpp"
#include <cmath>
#include <cstring>
extern "C" {
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/reals.h"
}

class Modn : public ::testing::Test {};

#include "modn/lanes_cases.inc"
#include "modn/ifma_cases.inc"
#include "modn/reals_cases.inc"
