/* What every tier on bit planes shares: the S-box circuit omits its constants, and the round keys
 * include them.
 *
 * The circuit (sm4_sbox.inc) computes C with S(x) = C(x + before) + after in every byte. "before"
 * is added to the key as it is. "after" passes through L, so that every new word differs by
 * L(after) from the true one: words 4 to 7 do, words 8 to 11 have it twice and are right again, and
 * so on. A round's key cancels the differences of its three words: an odd number of them is wrong
 * in rounds 1, 3, 4 and 6 of every eight. Words 32 to 35, the result, are right. */
#ifndef TY_SM4_SM4_PLANES_H
#define TY_SM4_SM4_PLANES_H

#include <stdint.h>

#define TY_SM4_PLANES_BEFORE 0x75757575u
#define TY_SM4_PLANES_AFTER  0xd3d3d3d3u
/* L of equal bytes: <<<2, <<<10 and <<<18 are the same, <<<24 changes nothing */
#define TY_SM4_PLANES_CARRY  0x4f4f4f4fu

/* the key of round r for the circuit */
static inline uint32_t ty_sm4_plane_key(uint32_t rk, unsigned r)
{
    return rk ^ TY_SM4_PLANES_BEFORE ^ (0x5au >> (r & 7) & 1 ? TY_SM4_PLANES_CARRY : 0);
}

#endif
