/* S and L of SM4 by GFNI, for one width: the inversion brings its own affine map, so FIRST and LAST
 * are an instruction each. Template.
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
#undef AFFINE

static inline V V_NAME(round)(V x0, V a, V b)
{
    const V t = a ^ b;
    const V last = v_shuf8(V_NAME(last)(t), v_row(V, up));   /* the longer way: it comes first */
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
