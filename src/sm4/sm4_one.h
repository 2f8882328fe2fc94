/* One block of SM4 in vectors, for tiers without assembly for it. Template: TY_K(sm4_one), over
 * three_v128() and the tables up, up2 and up3.
 *
 * A single message waits for the latency of its rounds. With each word in all four places of a
 * register ShiftRows changes nothing, and MIDDLE, which is on the longest path, is computed
 * directly, not as the sum of FIRST and LAST. */

/* a + b is the S-box's input, and becomes that of the next round. */
static inline void one_round(v128 *x0, v128 *a, v128 *b, v128 early)
{
    v128 first, middle, last;
    three_v128(*a, *b, &first, &middle, &last);
    v128 late = v128_shuf8(middle, v128_load(up)) ^ v128_shuf8(middle, v128_load(up2));
    v128 y = (*x0 ^ first) ^ v128_shuf8(last, v128_load(up3));
    V_PIN(late);
    V_PIN(y);
    v128 next = y ^ early;
    V_PIN(next);
    *x0 = y ^ late;
    *a = next;
    *b = late;
}

/* E of a block in AES form, in AES form */
static __attribute__((noinline)) v128 TY_K(sm4_one)(v128 block, const uint32_t *rk)
{
    v128 x[4] = { v128_splat32(block, 0), v128_splat32(block, 1),
                  v128_splat32(block, 2), v128_splat32(block, 3) };
#define KEY(i) v128_set32(rk[(i) & 31])
#define STEP(i) do { \
        v128 early = (x[(2 + i) & 3] ^ KEY(r + 1 + i)) ^ x[(3 + i) & 3]; \
        V_PIN(early); \
        one_round(&x[i], &a, &b, early); \
    } while (0)
    v128 a = x[1] ^ x[2], b = x[3] ^ KEY(0);
    for (int r = 0; r < 32; r += 4) {
        STEP(0);
        STEP(1);
        STEP(2);
        STEP(3);
    }
#undef STEP
#undef KEY
    return v128_zip_lo64(v128_zip_lo32(x[3], x[2]), v128_zip_lo32(x[1], x[0]));
}

