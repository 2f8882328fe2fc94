/* GF(2^m) in vectors with the carry-less product, for one width. Template:
 *   V       the vector type: v128 holds one element, v256 two, one in each half, and everything is
 *           done to both
 *   F2_M, F2_K1, F2_K2, F2_K3    the field, from its card
 * It defines fe_<V>, add_<V>, mul_<V> and sqr_<V>, which are inlined wherever they are called.
 *
 * A lane is 128 bits, two words. An element is F2_LANES lanes and has a degree below F2_LOOSE:
 * where F2_W is odd, the top half of its last lane is zero. */

typedef struct V_NAME(fe) {
    V v[F2_LANES];
} V_NAME(fe);

static F2_INLINE void V_NAME(add)(V_NAME(fe) *z, const V_NAME(fe) *x, const V_NAME(fe) *y)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) z->v[i] = x->v[i] ^ y->v[i];
}

/* The two words of h[0..n) from word k on, k of any sign; words outside h are zero. */
static F2_INLINE V V_NAME(words)(const V *h, int n, int k)
{
    const int i = k >= 0 ? k / 2 : -((1 - k) / 2);
    const V a = i >= 0 && i < n ? h[i] : v_zero(V);
    if (k % 2 == 0) return a;
    return i + 1 >= 0 && i + 1 < n ? v_span64(a, h[i + 1]) : v_span64(a, v_zero(V));
}

/* z[0..F2_LANES) += h[0..n) << e */
static F2_INLINE void V_NAME(add_left)(V *z, const V *h, int n, int e)
{
    const int q = e / 64, r = e % 64;
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        if (2 * i + 1 >= q) z[i] ^= v_shl64(V_NAME(words)(h, n, 2 * i - q), r);
        if (r && 2 * i >= q) z[i] ^= v_shr64(V_NAME(words)(h, n, 2 * i - q - 1), 64 - r);
    }
}

/* z[0..F2_LANES) += h >> s, 0 < s */
static F2_INLINE void V_NAME(add_right)(V *z, const V *h, int s)
{
    const int q = s / 64, r = s % 64;
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        if (2 * i + q < F2_W) z[i] ^= v_shr64(V_NAME(words)(h, F2_LANES, 2 * i + q), r);
        if (r && 2 * i + q + 1 < F2_W)
            z[i] ^= v_shl64(V_NAME(words)(h, F2_LANES, 2 * i + q + 1), 64 - r);
    }
}

/* z += the top half H of a product, reduced modulo the field's polynomial: H L, L = x^(64 W)
 * reduced, of which the part of degree 64 W or more is reduced in turn. Here L is shorter than a
 * word, so that it is a constant factor, and that part is one word. */
static F2_INLINE void V_NAME(fold_times)(V *z, const V *h)
{
    const V image = v_pair(V, 0, F2_FOLD(F2_OVER));
    V before = v_zero(V), top = v_zero(V);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        top = v_clmul_ll(h[i], image);
        z[i] ^= top;
        if (i < F2_HIGH) {
            const V odd = v_clmul_hl(h[i], image);
            z[i] ^= v_span64(before, odd);
            before = odd;
        } else {
            z[i] ^= v_span64(before, v_zero(V));
        }
    }
    /* W is odd on such cards: word W is the upper half of the last lane */
    z[0] ^= v_clmul_hl(top, image);
}

/* z = c, reduced, for the product c of elements below F2_LOOSE = E. The part from F2_CUT = 2E - 128
 * n on has n whole lanes, less a bit; its image, by the image of x^F2_CUT of one word, has n lanes
 * and less than a word. Then the part from E on is less than a word, and its image is added to the
 * lowest lane. Both cuts are at whole bytes. */
static F2_INLINE void V_NAME(fold_lanes)(V *z, const V *c)
{
    /* places in lane N */
    enum { N = F2_LANES - 1, CUT = F2_CUT / 8 % 16, END = F2_LOOSE / 8 % 16 };
    const V image = v_pair(V, F2_FOLD(F2_LOOSE - F2_M), F2_FOLD(F2_CUT - F2_M));
    V before = v_zero(V);
    TY_UNROLL for (int i = 0; i < N; i++) {
        const V h = v_span8(V, c[N + i], c[N + i + 1], CUT), odd = v_clmul_hl(h, image);
        z[i] = c[i] ^ v_clmul_ll(h, image) ^ v_span64(before, odd);
        before = odd;
    }
    z[N] = (c[N] & v_pair(V, F2_FIRST(CUT - 8), F2_FIRST(CUT))) ^ v_span64(before, v_zero(V));
    z[0] ^= v_clmul_lh(v_span8(V, z[N], v_zero(V), END), image);
    z[N] &= v_pair(V, F2_FIRST(END - 8), F2_FIRST(END));
}

/* z[0..n) = x y for one word y, given in both halves, and x of F2_LANES lanes; x y has a degree
 * below 128 n */
static F2_INLINE void V_NAME(mul_word)(V *z, int n, const V *x, V y)
{
    V before = v_zero(V);
    TY_UNROLL for (int i = 0; i < n; i++) {
        const V even = i < F2_LANES ? v_clmul_ll(x[i], y) : v_zero(V),
                odd = i < F2_LANES ? v_clmul_hh(x[i], y) : v_zero(V);
        z[i] = even ^ v_span64(before, odd);
        before = odd;
    }
}

/* The same as fold_times for all other fields, by shifts: x^(64 W) == x^e + x^f, so that H << e
 * loses H >> (64 W - e) at the top, and that is added to H before anything is shifted left: all
 * rounds at once. The number of rounds is that of partial reduction, less one. For a trinomial,
 * with s = m - k1, the losses are H >> s, which in turn loses H >> 2s, and so on, and H >> m, which
 * loses nothing more; so each of them is computed from H itself. For a pentanomial there is one
 * round, and the four left shifts are a product by x^k1 + x^k2 + x^k3 + 1 and one shift. */
static F2_INLINE void V_NAME(fold_shift)(V *z, const V *h)
{
    V all[F2_LANES], left[F2_LANES + 1];
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) all[i] = h[i];
    V_NAME(add_right)(all, h, F2_M);
    if (F2_K2) {
        V_NAME(add_right)(all, h, F2_M - F2_K1);
        V_NAME(add_right)(all, h, F2_M - F2_K2);
        V_NAME(add_right)(all, h, F2_M - F2_K3);
        V_NAME(mul_word)
        (left, F2_LANES + 1, all,
         v_set64(V, (uint64_t)1 | (uint64_t)1 << F2_K1 % 64 | (uint64_t)1 << F2_K2 |
                        (uint64_t)1 << F2_K3));
        V_NAME(add_left)(z, left, F2_LANES + 1, F2_OVER);
    } else {
        TY_UNROLL for (int round = 1; round <= (64 * F2_W - 1) / (F2_M - F2_K1); round++)
            V_NAME(add_right)(all, h, round * (F2_M - F2_K1));
        V_NAME(add_left)(z, all, F2_LANES, F2_OVER);
        V_NAME(add_left)(z, all, F2_LANES, F2_OVER + F2_K1);
    }
}

#if F2_CLMUL512
/* The same for a trinomial where x^(64 W) == x^OVER + x^(64 + S): lane after lane from the top. A
 * lane of the words h1 h0 adds
 *     h0 << OVER and h1 << OVER | h0 >> (64 - OVER), plus h0 << S   to the lane W/2 below, and
 *     h0 >> (64 - S) | h1 << S, plus h1 >> (64 - OVER), and h1 >> (64 - S)   to the one above that
 */
static F2_INLINE void V_NAME(fold_lanewise)(V *z, const V *c)
{
    enum { S = (F2_OVER + F2_K1) % 64 };
    V t[2 * F2_LANES];
    TY_UNROLL for (int i = 0; i < 2 * F2_LANES; i++) t[i] = c[i];
    TY_UNROLL for (int i = 2 * F2_LANES; i-- > F2_LANES;) {
        const V up = v_up64(t[i]), down = v_down64(t[i]);
        V *low = t + i - F2_LANES;
        low[0] = v_xor3(low[0], F2_SHLD(V, t[i], up, F2_OVER), v_shl64(up, S));
        low[1] = v_xor3(low[1], F2_SHLD(V, down, t[i], S), v_shr64(down, 64 - F2_OVER));
    }
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) z[i] = t[i];
}
#endif

/* z = c, reduced, loose, for the F2_W lanes of a product */
static F2_INLINE void V_NAME(reduce)(V_NAME(fe) *z, const V *c)
{
    V h[F2_LANES], low[F2_LANES];
#if F2_CLMUL512
    if (F2_LANE_FOLD) {
        V_NAME(fold_lanewise)(z->v, c);
        return;
    }
#endif
    if (F2_TIGHT) {
        V_NAME(fold_lanes)(z->v, c);
        return;
    }
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        h[i] = V_NAME(words)(c, F2_W, F2_W + 2 * i);
        low[i] = c[i];
    }
    if (F2_OVER + F2_K1 < 64 && F2_ODD) V_NAME(fold_times)(low, h);
    else V_NAME(fold_shift)(low, h);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) z->v[i] = i < F2_HIGH ? low[i] : v_low64(low[i]);
}

/* the product of one word of each of two lanes, both the lower or both the upper one */
static F2_INLINE V V_NAME(word)(V x, V y, int upper)
{
    return upper ? v_clmul_hh(x, y) : v_clmul_ll(x, y);
}

/* c[0..2] = x y of two lanes' words each, c[2] being known or not */
static F2_INLINE void V_NAME(convolve_two)(V *c, int known, int upper, const V *x, const V *y)
{
    c[0] = V_NAME(word)(x[0], y[0], upper);
    if (!known) c[2] = V_NAME(word)(x[1], y[1], upper);
    c[1] = V_NAME(word)(x[0] ^ x[1], y[0] ^ y[1], upper) ^ (c[0] ^ c[2]);
}

/* the same of four lanes, c[0..6]: lower two, upper two, and their sums for the lanes between.
 * cost: 9 products */
static F2_INLINE void V_NAME(convolve_four)(V *c, int known, int upper, const V *x, const V *y)
{
    const V xs[2] = { (x[0] ^ x[2]), x[1] ^ x[3] }, ys[2] = { (y[0] ^ y[2]), y[1] ^ y[3] };
    V sum[3];
    V_NAME(convolve_two)(c, 0, upper, x, y);
    V_NAME(convolve_two)(c + 4, known, upper, x + 2, y + 2);
    V_NAME(convolve_two)(sum, 0, upper, xs, ys);
    const V both = c[2] ^ c[4];
    c[3] = sum[1] ^ (c[1] ^ c[5]);
    c[2] = both ^ (sum[0] ^ c[0]);
    c[4] = both ^ (sum[2] ^ c[6]);
}

/* c[0..2n-2] = the products of one word of each lane, added up by lane: Karatsuba, over all pairs
 * unless there are four lanes. *top is the product of the last lanes if that is known (known = 1),
 * and is set otherwise. cost: n (n + 1)/2 products, 9 for four, less known */
static F2_INLINE void V_NAME(convolve)(V *c, V *top, int known, int n, int upper, const V *x,
                                       const V *y)
{
    V square[F2_LANES];
    if (F2_LANES >= 4 && n == 4) {
        if (known) c[6] = *top;
        V_NAME(convolve_four)(c, known, upper, x, y);
        *top = c[6];
        return;
    }
    TY_UNROLL for (int i = 0; i < 2 * n - 1; i++) c[i] = v_zero(V);
    TY_UNROLL for (int i = 0; i < n; i++) {
        square[i] = known && i == n - 1 ? *top : V_NAME(word)(x[i], y[i], upper);
        c[2 * i] ^= square[i];
        TY_UNROLL for (int j = 0; j < i; j++) {
            const V p = V_NAME(word)(x[i] ^ x[j], y[i] ^ y[j], upper);
            c[i + j] ^= (p ^ (square[i] ^ square[j]));
        }
    }
    *top = square[n - 1];
}

#if F2_CLMUL512
/* the middle words of the product of two lanes */
static F2_INLINE V V_NAME(cross)(V x, V y) { return v_clmul_lh(x, y) ^ v_clmul_hl(x, y); }

static F2_INLINE void V_NAME(mul_two)(V_NAME(fe) *z, const V_NAME(fe) *x, const V_NAME(fe) *y)
{
    const V *a = x->v, *b = y->v, as = a[0] ^ a[1], bs = b[0] ^ b[1];
    V c[4];
    const V l0 = v_clmul_ll(a[0], b[0]), l2 = v_clmul_ll(a[1], b[1]),
            l1 = v_clmul_ll(as, bs) ^ l0 ^ l2, h0 = v_clmul_hh(a[0], b[0]),
            m0 = V_NAME(cross)(a[0], b[0]);
    c[0] = l0 ^ v_up64(m0);
    if (F2_ODD) {
        const V m1 = v_clmul_hl(a[0], b[1]) ^ v_clmul_lh(a[1], b[0]);
        c[1] = l1 ^ h0 ^ v_span64(m0, m1);
        c[2] = l2 ^ v_down64(m1);
        c[3] = v_zero(V);
    } else {
        const V h2 = v_clmul_hh(a[1], b[1]), h1 = v_clmul_hh(as, bs) ^ h0 ^ h2,
                m2 = V_NAME(cross)(a[1], b[1]), m1 = V_NAME(cross)(as, bs) ^ m0 ^ m2;
        c[1] = l1 ^ h0 ^ v_span64(m0, m1);
        c[2] = l2 ^ h1 ^ v_span64(m1, m2);
        c[3] = h2 ^ v_down64(m2);
    }
    V_NAME(reduce)(z, c);
}

/* c[k] = the sum of d[i] and d[k - i] over the pairs of different lanes i and k - i, and d[k/2] for
 * even k: together that is d from max(0, k - n + 1) to min(k, n - 1) */
static F2_INLINE void V_NAME(diagonals)(V *c, const V *d, int n)
{
    c[0] = d[0];
    TY_UNROLL for (int k = 1; k < n; k++) c[k] = c[k - 1] ^ d[k];
    c[2 * n - 2] = d[n - 1];
    TY_UNROLL for (int k = 2 * n - 3; k >= n; k--) c[k] = c[k + 1] ^ d[k - n + 1];
}

static F2_INLINE void V_NAME(mul_lanes)(V_NAME(fe) *z, const V_NAME(fe) *x, const V_NAME(fe) *y)
{
    enum { N = F2_LANES, H = F2_HIGH };
    V dl[N], dm[N], dh[N], low[2 * N], mid[2 * N], high[2 * N], c[2 * N];
    TY_UNROLL for (int i = 0; i < N; i++) {
        const V a = x->v[i], b = y->v[i];
        dl[i] = v_clmul_ll(a, b);
        dm[i] = i < H ? V_NAME(cross)(a, b) : v_zero(V);
        dh[i] = i < H ? v_clmul_hh(a, b) : v_zero(V);
    }
    V_NAME(diagonals)(low, dl, N);
    V_NAME(diagonals)(mid, dm, N);
    V_NAME(diagonals)(high, dh, H);
    TY_UNROLL for (int k = 0; k < 2 * N - 1; k++)
        TY_UNROLL for (int i = 0; i < N; i++) {
            const int j = k - i;
            if (j <= i || j >= N) continue;
            const V a = x->v[i] ^ x->v[j], b = y->v[i] ^ y->v[j];
            low[k] ^= v_clmul_ll(a, b);
            mid[k] = v_xor3(mid[k], v_clmul_lh(a, b), v_clmul_hl(a, b));
            if (j < H) high[k] ^= v_clmul_hh(a, b);
        }
    TY_UNROLL for (int k = 0; k < F2_W; k++) {
        const V between = v_span64(k ? mid[k - 1] : v_zero(V), mid[k]);
        c[k] = v_xor3(low[k], between, k && k < 2 * H ? high[k - 1] : v_zero(V));
    }
    V_NAME(reduce)(z, c);
}
#endif

/* z = x y. With x = x0 + x1 t, t = x^64, where x0 has the lower words of lanes and x1 the upper
 * ones: x y = low + (sum + low + high) t + high t^2, where sum = (x0 + x1)(y0 + y1). z may alias x
 * or y */
static F2_INLINE void V_NAME(mul)(V_NAME(fe) *z, const V_NAME(fe) *x, const V_NAME(fe) *y)
{
    V low[2 * F2_LANES], high[2 * F2_LANES], sum[2 * F2_LANES], xs[F2_LANES], ys[F2_LANES], c[F2_W],
        top, no;
#if F2_CLMUL512
    if (F2_LANES == 2) {
        V_NAME(mul_two)(z, x, y);
        return;
    }
    if (sizeof(V) == 64) {
        V_NAME(mul_lanes)(z, x, y);
        return;
    }
#endif
    TY_UNROLL for (int i = 0; i < 2 * F2_LANES; i++) low[i] = high[i] = sum[i] = v_zero(V);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        xs[i] = x->v[i] ^ v_swap64(x->v[i]);
        ys[i] = y->v[i] ^ v_swap64(y->v[i]);
    }
    V_NAME(convolve)(low, &top, 0, F2_LANES, 0, x->v, y->v);
    V_NAME(convolve)(high, &no, 0, F2_HIGH, 1, x->v, y->v);
    V_NAME(convolve)(sum, &top, F2_ODD, F2_LANES, 0, xs, ys);
    TY_UNROLL for (int i = 0; i < 2 * F2_LANES - 1; i++) sum[i] ^= (low[i] ^ high[i]);
    TY_UNROLL for (int i = 0; i < F2_W; i++) {
        c[i] = low[i] ^ v_span64(i ? sum[i - 1] : v_zero(V), sum[i]);
        if (i) c[i] ^= high[i - 1];
    }
    V_NAME(reduce)(z, c);
}

/* z = x^2: a zero after every bit, by a table of the sixteen nibbles.   z may alias x */
static F2_INLINE void V_NAME(sqr)(V_NAME(fe) *z, const V_NAME(fe) *x)
{
    const V spread = v_pair(V, 0x5554515045444140u, 0x1514111005040100u), nibble = v_set8(V, 15);
    V c[2 * F2_LANES];
    if (F2_CLMUL512) {   /* that is, the square of each word */
        TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
            c[2 * i] = v_clmul_ll(x->v[i], x->v[i]);
            c[2 * i + 1] = i < F2_HIGH ? v_clmul_hh(x->v[i], x->v[i]) : v_zero(V);
        }
        V_NAME(reduce)(z, c);
        return;
    }
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const V a = v_shuf8(spread, x->v[i] & nibble), b = v_shuf8(spread, v_high4(x->v[i]));
        c[2 * i] = v_zip_lo8(a, b);
        c[2 * i + 1] = v_zip_hi8(a, b);
    }
    V_NAME(reduce)(z, c);
}
