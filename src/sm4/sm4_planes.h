/* What every tier on bit planes shares: the S-box circuit leaves out its constants, and the round
 * keys take them.
 *
 * The circuit (sm4_sbox.inc) computes C with S(x) = C(x + before) + after in every byte. "before"
 * goes into the key as it is. "after" comes through L, so that every new word is L(after) away from
 * the true one: words 4 to 7 are, words 8 to 11 have it twice and are right again, and so on. A
 * round's key takes back what its three words bring: an odd number of wrong ones in rounds 1, 3, 4
 * and 6 of every eight. Words 32 to 35, the result, are right. */
#ifndef TY_SM4_SM4_PLANES_H
#define TY_SM4_SM4_PLANES_H

#include <stdint.h>

#define TY_SM4_PLANES_BEFORE 0x75757575u
#define TY_SM4_PLANES_AFTER  0xd3d3d3d3u
/* L of equal bytes: <<<2, <<<10, <<<18 are one, <<<24 is none */
#define TY_SM4_PLANES_CARRY  0x4f4f4f4fu

/* the key of round r as the circuit wants it */
static inline uint32_t ty_sm4_plane_key(uint32_t rk, unsigned r)
{
    return rk ^ TY_SM4_PLANES_BEFORE ^ (0x5au >> (r & 7) & 1 ? TY_SM4_PLANES_CARRY : 0);
}

#endif
