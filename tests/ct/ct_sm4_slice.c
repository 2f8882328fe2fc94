/* SM4's wide bit planes on poisoned keys, counters and texts: nothing but the number of blocks may steer them. (Those of 512
 * blocks have the same text, sm4_slice.inc, and cannot run here.) */
#include "base/ct.h"
#include "sm4/sm4.h"
#include "sm4/sm4_slice.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
static uint8_t text[16 * 513], out[16 * 513], expected[16 * 513], key[16], iv[16];

static int differs(const char *name, size_t done)
{
    TY_PUBLIC(out, sizeof out);   /* the results have left the library: this program looks at them */
    TY_PUBLIC(expected, sizeof expected);
    const int bad = done != 512 || memcmp(out, expected, 16 * done) != 0;
    if (bad) printf("sm4 slices, %s: wrong\n", name);
    return bad;
}

int main(void)
{
    uint32_t rk[32];
    uint8_t v[16], w[16];
    int bad = 0;
    if (!(ty_cpu_have() & TY_CPU_AVX2)) {
        puts("sm4 slices: not on this CPU");
        return 0;
    }
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 31 + 7);
    for (size_t i = 0; i < 16; i++) iv[i] = (uint8_t)(0xff - (i < 12 ? i : 0)), key[i] = (uint8_t)(i * 17);
    TY_SECRET(text, sizeof text);
    TY_SECRET(key, sizeof key);
    TY_SECRET(iv, sizeof iv);     /* GCM's counter is secret where the nonce went through GHASH */
    ty_sm4_ops_c.schedule(rk, key);
    ty_sm4_ops_c.ecb(expected, text, 512, rk);
    bad += differs("ecb", ty_sm4_slice_ecb_avx2(out, text, 513, rk));
    ty_sm4_ops_c.ctr32(expected, text, 512, iv, rk);
    bad += differs("ctr", ty_sm4_slice_ctr32_avx2(out, text, 513, iv, rk));
    memcpy(v, iv, 16);
    memcpy(w, iv, 16);
    ty_sm4_ops_c.cbc_decrypt(expected, text, 512, v, rk);
    bad += differs("cbc", ty_sm4_slice_cbc_decrypt_avx2(out, text, 513, w, rk));
    ty_sm4_ops_c.cfb_decrypt(expected, text, 512, v, rk);
    bad += differs("cfb", ty_sm4_slice_cfb_decrypt_avx2(out, text, 513, w, rk));
    ty_sm4_ops_c.xex(expected, text, text, 512, rk);
    bad += differs("xex", ty_sm4_slice_xex_avx2(out, text, text, 513, rk));
    if (!bad) puts("sm4 slices: secrets stayed out of branches and addresses");
    return bad != 0;
}
#else
int main(void) { return 0; }
#endif
