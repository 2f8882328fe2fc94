/* The key derivation function of SM2 (GB/T 32918.4-2016, 5.4.3): SM3 in counter mode. */
#include "tongyu/sm3.h"
#include "base/bytes.h"

#include <string.h>

ty_err ty_kdf_sm3(uint8_t *out, size_t out_len, const uint8_t *z, size_t z_len)
{
    const uint64_t count = (uint64_t)(out_len / TY_SM3_LEN) + (out_len % TY_SM3_LEN != 0);
    if (count > 0xffffffffu) return TY_ERR_SIZE;   /* the block counter has 32 bits */

    ty_sm3 start, c;   /* z is hashed once; every output block continues from there with its own counter */
    ty_sm3_init(&start);
    ty_sm3_update(&start, z, z_len);

    uint8_t counter[4], digest[TY_SM3_LEN];
    for (uint32_t i = 1; out_len; i++) {
        const size_t n = out_len < sizeof digest ? out_len : sizeof digest;
        c = start;
        ty_put32be(counter, i);
        ty_sm3_update(&c, counter, sizeof counter);
        ty_sm3_final(digest, &c);
        memcpy(out, digest, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(&start, sizeof start);
    ty_wipe(digest, sizeof digest);
    return TY_OK;
}
