/* SM3's compression function in portable C, and the tier list. */
#include "sm3/sm3.h"
#include "base/bytes.h"
#include "sm3/sm3_round.h"

/* w[] is a window of the expanded message: before round j it holds W_{j-12} .. W_{j+3}, word k at k
 * mod 16, and W_{j+4} takes the place of the oldest. In the first twelve rounds it is there
 * already. */
#define W(k)      w[(k) % 16]
#define HAVE(j)   (W(j) ^ W((j) + 4))
#define EXPAND(j) (W(j) ^ (W((j) + 4) = p1(W((j) + 4) ^ W((j) + 11) ^ ty_rotl32(W((j) + 1), 15)) \
                              ^ ty_rotl32(W((j) + 7), 7) ^ W((j) + 14)))

#define SIXTEEN(j) do {                                                                       \
        FOUR(ff1, gg1, (j), W, EXPAND); FOUR(ff1, gg1, (j) + 4, W, EXPAND);                   \
        FOUR(ff1, gg1, (j) + 8, W, EXPAND); FOUR(ff1, gg1, (j) + 12, W, EXPAND);              \
    } while (0)

void ty_sm3_blocks_c(uint32_t v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    uint32_t w[16];
    for (; nblocks; nblocks--, in += 64) {
        uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        for (int i = 0; i < 16; i++) w[i] = ty_get32be(in + 4 * i);
        FOUR(ff0, gg0, 0, W, HAVE);
        FOUR(ff0, gg0, 4, W, HAVE);
        FOUR(ff0, gg0, 8, W, HAVE);
        FOUR(ff0, gg0, 12, W, EXPAND);
        SIXTEEN(16);
        SIXTEEN(32);
        SIXTEEN(48);
        v[0] ^= a; v[1] ^= b; v[2] ^= c; v[3] ^= d; v[4] ^= e; v[5] ^= f; v[6] ^= g; v[7] ^= h;
    }
    ty_wipe(w, sizeof w);
}

const ty_sm3_ops ty_sm3_ops_c = { ty_sm3_blocks_c, 0, 0, 0 };
TY_FAMILY_ROWS(sm3, TY_SM3_TIERS);
