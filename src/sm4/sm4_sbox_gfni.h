/* S and L of SM4 with GFNI, for one width: the inversion instruction includes an affine map, so
 * FIRST and LAST are one instruction each. Template.
 *   V   the vector type */

#define AFFINE(name, op, NAME)                                                                     \
    static inline V V_NAME(name)(V x)                                                              \
    {                                                                                              \
        return v_##op(V, x, v_set64(V, TY_F8_SM4_GFNI_##NAME), TY_F8_SM4_GFNI_##NAME##_ADD);       \
    }
AFFINE(to_aes, gf8_affine, TO)
AFFINE(from_aes, gf8_affine, FROM)
AFFINE(first, gf8_inv_affine, FIRST)
AFFINE(middle, gf8_inv_affine, MIDDLE)
AFFINE(last, gf8_inv_affine, LAST)
AFFINE(key0, gf8_inv_affine, KEY0)
AFFINE(key1, gf8_inv_affine, KEY1)
AFFINE(key2, gf8_inv_affine, KEY2)
AFFINE(key3, gf8_inv_affine, KEY3)
#undef AFFINE

static inline V V_NAME(round)(V x0, V a, V b)
{
    const V t = a ^ b;
    const V last = v_shuf8(V_NAME(last)(t), v_row(V, up));   /* the longer path, so it is first */
    V w = V_NAME(first)(t) ^ last;
    V_PIN(w);
    V y = x0 ^ w;
    V_PIN(y);
    return y ^ (v_shuf8(w, v_row(V, up2)) ^ v_shuf8(w, v_row(V, up)));
}

static inline void V_NAME(three)(V a, V b, V *first, V *middle, V *last)
{
    const V t = a ^ b;
    *middle = V_NAME(middle)(t);
    *last = V_NAME(last)(t);
    *first = V_NAME(first)(t);
}

/* Of the key schedule: k0 + L'(S(a + b)) */
static inline V V_NAME(key_round)(V k0, V a, V b)
{
    const V t = a ^ b;
    const V one = v_shuf8(V_NAME(key1)(t), v_row(V, up));
    const V two = v_shuf8(V_NAME(key2)(t), v_row(V, up2));
    const V three = v_shuf8(V_NAME(key3)(t), v_row(V, up3));
    return v_xor3(v_xor3(k0, V_NAME(key0)(t), one), two, three);
}
