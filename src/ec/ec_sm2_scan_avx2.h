/* Entries of a table read with AVX2: every entry is loaded, whole, and selected by a mask.
 * bound      per entry of 64 bytes: 2 loads and 6 operations; 64 entries in 96 cycles, measured 120
 *            on their own. An affine entry is read in eleven steps, between the products of the
 *            addition before the one that needs it: these occupy the multiplier and leave the
 *            vector units idle, which hides two thirds of that time */
#ifndef TY_EC_EC_SM2_SCAN_AVX2_H
#define TY_EC_EC_SM2_SCAN_AVX2_H

/* the mask of entry number j: all ones in every lane where j = magnitude */
static inline __m256i scan_mask(__m256i j, __m256i magnitude)
{
    return _mm256_cmpeq_epi32(j, magnitude);
}

static inline __m256i scan_keep(__m256i sum, __m256i mask, const void *p)
{
    return _mm256_or_si256(sum, _mm256_and_si256(mask, _mm256_loadu_si256((const __m256i *)p)));
}

struct meanwhile {
    __m256i want, j0, x0, y0, x1, y1;
    const affine *table;
};

static inline void scan_begin(meanwhile *m, const affine *table, uint32_t magnitude)
{
    m->want = _mm256_set1_epi32((int)magnitude);
    m->j0 = _mm256_set1_epi32(1);
    m->x0 = m->y0 = m->x1 = m->y1 = _mm256_setzero_si256();
    m->table = table;
}

EC_INLINE void meanwhile_step(meanwhile *m, int i)
{
    const __m256i one = _mm256_set1_epi32(1);
    const int end = 6 * i + 6 < BASE_COLS ? 6 * i + 6 : BASE_COLS;
    TY_UNROLL for (int j = 6 * i; j < end; j += 2) {
        const __m256i j1 = _mm256_add_epi32(m->j0, one), m0 = scan_mask(m->j0, m->want),
                      m1 = scan_mask(j1, m->want);
        m->x0 = scan_keep(m->x0, m0, &m->table[j].x);
        m->y0 = scan_keep(m->y0, m0, &m->table[j].y);
        m->x1 = scan_keep(m->x1, m1, &m->table[j + 1].x);
        m->y1 = scan_keep(m->y1, m1, &m->table[j + 1].y);
        m->j0 = _mm256_add_epi32(j1, one);
    }
}

static inline void scan_end(affine *z, const meanwhile *m)
{
    _mm256_storeu_si256((__m256i *)&z->x, _mm256_or_si256(m->x0, m->x1));
    _mm256_storeu_si256((__m256i *)&z->y, _mm256_or_si256(m->y0, m->y1));
}

static void ready_scan(ready *z, const ready *table, uint32_t entries, uint32_t magnitude)
{
    const __m256i want = _mm256_set1_epi32((int)magnitude), one = _mm256_set1_epi32(1);
    __m256i j0 = one, x = _mm256_setzero_si256(), y = x, w = x, ww = x, www = x;
    for (uint32_t j = 0; j < entries; j++) {
        const __m256i m = scan_mask(j0, want);
        x = scan_keep(x, m, &table[j].p.x);
        y = scan_keep(y, m, &table[j].p.y);
        w = scan_keep(w, m, &table[j].p.z);
        ww = scan_keep(ww, m, &table[j].zz);
        www = scan_keep(www, m, &table[j].zzz);
        j0 = _mm256_add_epi32(j0, one);
    }
    _mm256_storeu_si256((__m256i *)&z->p.x, x);
    _mm256_storeu_si256((__m256i *)&z->p.y, y);
    _mm256_storeu_si256((__m256i *)&z->p.z, w);
    _mm256_storeu_si256((__m256i *)&z->zz, ww);
    _mm256_storeu_si256((__m256i *)&z->zzz, www);
}

#endif
