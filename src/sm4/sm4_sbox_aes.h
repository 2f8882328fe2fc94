/* S and L of SM4 through AESENCLAST, for one width. Template.
 *   V                 the vector type
 *   aes_last_<V>()    ShiftRows(SubBytes(a + b)) of AES, defined before it
 * Linear maps of bytes are computed nibble by nibble with tables in registers (PSHUFB, TBL). The
 * AES instruction also shifts rows: the shuffles that move bytes to their places in L shift them
 * back. With w = FIRST + (LAST one place up), L(S) = w + (w one up) + (w two up). */

static inline V V_NAME(by_nibble)(V x, const uint8_t lo[16], const uint8_t hi[16])
{
    const V mask = v_row(V, low_nibbles);
    return v_shuf8(v_row(V, hi), v_high4(x)) ^ v_shuf8(v_row(V, lo), x & mask);
}

static inline V V_NAME(to_aes)(V x) { return V_NAME(by_nibble)(x, to_aes_lo, to_aes_hi); }
static inline V V_NAME(from_aes)(V x) { return V_NAME(by_nibble)(x, from_aes_lo, from_aes_hi); }

static inline V V_NAME(round)(V x0, V a, V b)
{
    const V z = V_NAME(aes_last)(a, b), lo = z & v_row(V, low_nibbles), hi = v_high4(z);
    const V last = v_shuf8(v_row(V, last_hi), hi) ^ v_shuf8(v_row(V, last_lo), lo);
    const V first = v_shuf8(v_row(V, first_hi), hi) ^ v_shuf8(v_row(V, first_lo), lo);
    V w = first ^ v_shuf8(last, v_row(V, shifted_up));
    V_PIN(w);
    V y = x0 ^ v_shuf8(w, v_row(V, unshift));
    V_PIN(y);
    return y ^ (v_shuf8(w, v_row(V, unshift_up2)) ^ v_shuf8(w, v_row(V, unshift_up)));
}

/* The three parts of L(S(a + b)) if all words of a + b are equal, so that ShiftRows changes
 * nothing. */
static inline void V_NAME(three)(V a, V b, V *first, V *middle, V *last)
{
    const V z = V_NAME(aes_last)(a, b), lo = z & v_row(V, low_nibbles), hi = v_high4(z);
    *middle = v_shuf8(v_row(V, middle_hi), hi) ^ v_shuf8(v_row(V, middle_lo), lo);
    *last = v_shuf8(v_row(V, last_hi), hi) ^ v_shuf8(v_row(V, last_lo), lo);
    *first = *middle ^ *last;
}

/* Of the key schedule: k0 + L'(S(a + b)) */
static inline V V_NAME(key_round)(V k0, V a, V b)
{
    const V z = v_shuf8(V_NAME(aes_last)(a, b), v_row(V, unshift));
    const V lo = z & v_row(V, low_nibbles), hi = v_high4(z);
    const V zero = v_shuf8(v_row(V, key0_hi), hi) ^ v_shuf8(v_row(V, key0_lo), lo);
    const V one = v_shuf8(v_row(V, key1_hi), hi) ^ v_shuf8(v_row(V, key1_lo), lo);
    const V two = v_shuf8(v_row(V, key2_hi), hi) ^ v_shuf8(v_row(V, key2_lo), lo);
    const V three = v_shuf8(v_row(V, key3_hi), hi) ^ v_shuf8(v_row(V, key3_lo), lo);
    const V w = k0 ^ zero ^ v_shuf8(one, v_row(V, up));
    return v_xor3(w, v_shuf8(two, v_row(V, up2)), v_shuf8(three, v_row(V, up3)));
}
