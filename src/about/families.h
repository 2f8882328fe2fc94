/* The families of kernels, for `tongyu tiers` and for the tests of all families. X(displayed name,
 * family). One family stands for all that share a list of tiers; tools/levels.py fails when a list
 * is missing here. */
#ifndef TY_ABOUT_FAMILIES_H
#define TY_ABOUT_FAMILIES_H

#include "ec/ec_sm2.h"
#include "ec_f2/ec_f2_fields.h"
#include "f2m/f2_any.h"
#include "keccak/keccak.h"
#include "limb/limb.h"
#include "mldsa/mldsa.h"
#include "mod/f2_128.h"
#include "mod/n_sm2.h"
#include "mod/ntt.h"
#include "mod/q_mldsa.h"
#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/pair.h"
#include "modn/reals.h"
#include "sha2/sha2.h"
#include "sm3/sm3.h"
#include "sm4/sm4.h"

#define TY_FAMILIES(X)                                                                      \
    X(sm2, ec_sm2)          /* points of SM2's curve */                                     \
    X(sm2n, n_sm2)          /* its scalars, Z/n */                                          \
    X(sm3, sm3)                                                                             \
    X(sm4, sm4)                                                                             \
    X(ghash, f2_128)        /* GCM's field */                                               \
    X(mldsa, mldsa)         /* packing and sampling */                                      \
    X(mldsaq, q)            /* its ring: Z/q and the transforms */                          \
    X(ec2m, ec_f2_233)      /* named binary curves; more for 163, 233 and 571 bits */       \
    X(ec2many, ec_any)      /* curves over any field GF(2^m) */                             \
    X(f2any, f2_any)        /* the arithmetic of those fields */                            \
    X(sha256, sha256)                                                                       \
    X(keccak, keccak)       /* SHA-3 and SHAKE */                                           \
    X(mp, limb)             /* integers of any size */                                      \
    X(mplong, ntt)          /* products of long integers */                                 \
    X(mpdoubles, reals)     /* one modular power, in double precision */                    \
    X(mpifma, ifma)         /* one modular power, by 52-bit products */                     \
    X(mpmany, lanes)        /* modular powers of several numbers side by side */            \
    X(mppair, pair)         /* two modular powers, by 52-bit products */

#endif
