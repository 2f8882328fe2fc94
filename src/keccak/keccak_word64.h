/* Keccak-f[1600] on 64-bit words, in place: the words stay in memory, as memory operands of the
 * instructions for a plane's parities and results; registers hold the five d, the parities and one
 * plane. */
#ifndef TY_KECCAK_KECCAK_WORD64_H
#define TY_KECCAK_KECCAK_WORD64_H

#include "base/unroll.h"
#include "base/vec.h"
#include "keccak/keccak.h"

typedef uint64_t w64;

TY_INLINE w64 rol_w64(w64 x, int n) { return x << n | x >> (64 - n); }
TY_INLINE w64 add_w64(w64 x, w64 y) { return x ^ y; }
TY_INLINE w64 parity_w64(const w64 *a, size_t stride)
{
    return a[0] ^ a[5 * stride] ^ (a[10 * stride] ^ a[15 * stride]) ^ a[20 * stride];
}
TY_INLINE w64 add_rol_w64(w64 x, w64 y, int n) { return rol_w64(x ^ y, n); }
TY_INLINE w64 add_rol1_w64(w64 x, w64 y) { return x ^ rol_w64(y, 1); }
TY_INLINE w64 chi_w64(w64 x, w64 y, w64 z) { return x ^ (~y & z); }
TY_INLINE w64 constant_w64(int i) { return ty_keccak_rc[i]; }
TY_INLINE void pin_w64(void) { }

#define V w64
#include "keccak/keccak_round.h"
#undef V

#endif
