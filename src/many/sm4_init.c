/* Many keys of SM4 at once, those of GCM with their hash keys: key schedules are computed side by
 * side, one in each lane (ty_sm4_ops.schedules). A single key that remains is set up by itself. */
#include "base/wipe.h"
#include "mod/f2_128.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_many.h"

static inline size_t chunk(size_t left) { return left < TY_SM4_LANES ? left : TY_SM4_LANES; }

void ty_sm4_many_init(ty_sm4_key *keys, const uint8_t *bytes, size_t n)
{
    const ty_sm4_ops *ops = ty_sm4_best();
    if (n == 0) return;
    for (size_t some; n > 1; n -= some, keys += some, bytes += 16 * some) {
        some = chunk(n);
        for (size_t i = 0; i < some; i++) keys[i].ops = ops;
        TY_HELD(sm4, ops)->schedules(keys, sizeof *keys, NULL, bytes, some);
    }
    if (n) ty_sm4_init(keys, bytes);
}

void ty_sm4_many_gcm_init(ty_sm4_gcm_key *keys, const uint8_t *bytes, size_t n)
{
    const ty_sm4_ops *ops = ty_sm4_best();
    const ty_f2_128_ops *ghash = ty_f2_128_best();
    uint8_t h[16 * TY_SM4_LANES];
    if (n == 0) return;
    for (size_t some; n > 1; n -= some, keys += some, bytes += 16 * some) {
        some = chunk(n);
        TY_HELD(sm4, ops)->schedules(&keys->sm4, sizeof *keys, h, bytes, some);
        for (size_t i = 0; i < some; i++) {
            keys[i].sm4.ops = ops;
            keys[i].ghash = ghash;
            TY_HELD(f2_128, ghash)->powers(keys[i].power, h + 16 * i);
        }
    }
    if (n) ty_sm4_gcm_init(keys, bytes);
    ty_wipe(h, sizeof h);
}
