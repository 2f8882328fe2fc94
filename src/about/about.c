/* ty_tier_list: what the library is made of. A family joins by its row here. */
#include "base/cpu.h"
#include "ec/ec_binary.h"
#include "ec/ec_sm2.h"
#include "keccak/keccak.h"
#include "limb/lanes.h"
#include "limb/limb.h"
#include "mldsa/mldsa.h"
#include "mod/f2_128.h"
#include "mod/n_sm2.h"
#include "mod/ntt.h"
#include "mod/q_mldsa.h"
#include "sha2/sha2.h"
#include "sm3/sm3.h"
#include "sm4/sm4.h"
#include "tongyu/base.h"

static const struct {
    const char *name;
    const ty_tier *rows;
} families[] = {
    { "sm2", ty_ec_sm2_tiers },     /* points of the curve */
    { "sm2n", ty_n_sm2_tiers },     /* scalars: Z/n */
    { "sm3", ty_sm3_tiers },
    { "sm4", ty_sm4_tiers },
    { "ghash", ty_f2_128_tiers },   /* GCM's field */
    { "mldsa", ty_mldsa_tiers },    /* packing and sampling */
    { "mldsaq", ty_q_tiers },       /* its ring: Z/q and the transforms */
    { "ec2m", ty_ec_f2_233_tiers }, /* binary curves: every field has these tiers */
    { "ec2many", ty_ec_any_tiers }, /* those over any field */
    { "sha256", ty_sha256_tiers },
    { "keccak", ty_keccak_tiers },  /* SHA-3 and SHAKE */
    { "mp", ty_limb_tiers },        /* integers of any size */
    { "mplong", ty_ntt_tiers },     /* products of long ones */
    { "mpmany", ty_lanes_tiers },   /* powers modulo several side by side */
};

size_t ty_tier_list(ty_tier_row *rows, size_t rows_len)
{
    const ty_cpu have = ty_cpu_have();
    size_t n = 0;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const void *best = ty_tier_best(families[i].rows);
        for (const ty_tier *t = families[i].rows; t->name; t++, n++) {
            if (n >= rows_len) continue;
            rows[n].family = families[i].name;
            rows[n].tier = t->name;
            rows[n].runs = (t->need & ~have) == 0;
            rows[n].chosen = t->ops == best;
        }
    }
    return n;
}
