/* The instructions of AVX-512 F, BW, DQ and VL on integers, a few on doubles, and some of AVX2,
 * after the pseudo-code of Intel's Software Developer's Manual, volume 2. Element by element; emu.c
 * handles masks, broadcasts and memory. */
#include "ops.h"

#if defined(__x86_64__)
#include <math.h>
#include <string.h>

#    define OP(name)                                                                               \
        static void name(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm)
#    define UNUSED (void)a, (void)imm

/* name: field[i] = expression of x = a's and y = b's element, n = imm */
#    define EACH(name, field, size, expression)                                                    \
        OP(name)                                                                                   \
        {                                                                                          \
            const unsigned n = imm;                                                                \
            for (unsigned i = 0; i < len / size; i++) {                                            \
                const uint64_t x = a->field[i], y = b->field[i];                                   \
                (void)n, (void)x, (void)y;                                                         \
                d->field[i] = (uint##field##_t)(expression);                                       \
            }                                                                                      \
        }
#define uintb_t uint8_t
#define uintw_t uint16_t
#define uintd_t uint32_t
#define uintq_t uint64_t
#    define EACH_SIZE(name, expression)                                                            \
        EACH(name##b, b, 1, expression)                                                            \
        EACH(name##w, w, 2, expression)                                                            \
        EACH(name##d, d, 4, expression)                                                            \
        EACH(name##q, q, 8, expression)
#    define EACH_DQ(name, expression32, expression64)                                              \
        EACH(name##d, d, 4, expression32)                                                          \
        EACH(name##q, q, 8, expression64)

OP(copy)
{
    UNUSED;
    memmove(d, b, len);
}

EACH(and64, q, 8, x & y)
EACH(andn64, q, 8, ~x & y)
EACH(or64, q, 8, x | y)
EACH(xor64, q, 8, x ^ y)

/* bit (4 d + 2 a + b) of the immediate, in every bit position */
OP(ternary)
{
    for (unsigned i = 0; i < len / 8; i++) {
        uint64_t r = 0;
        for (unsigned row = 0; row < 8; row++)
            if (imm >> row & 1)
                r |= (row & 4 ? d->q[i] : ~d->q[i]) & (row & 2 ? a->q[i] : ~a->q[i]) &
                     (row & 1 ? b->q[i] : ~b->q[i]);
        d->q[i] = r;
    }
}

EACH_SIZE(add, x + y)
EACH_SIZE(sub, x - y)
EACH(mullw, w, 2, x * y)
EACH_DQ(mull, x * y, x * y)
EACH(muludq, q, 8, (x & 0xffffffff) * (y & 0xffffffff))
EACH_DQ(minu, x < y ? x : y, x < y ? x : y)
EACH_DQ(maxu, x > y ? x : y, x > y ? x : y)

/* comparisons whose result is a vector: each element all ones or zero */
EACH(alleqd, d, 4, x == y ? ~(uint64_t)0 : 0)
EACH(allgtq, q, 8, (int64_t)x > (int64_t)y ? ~(uint64_t)0 : 0)

/* --- shifts ----------------------------------------------------------------------------------- */

static uint64_t left(uint64_t x, uint64_t n, unsigned bits) { return n < bits ? x << n : 0; }
static uint64_t right(uint64_t x, uint64_t n, unsigned bits) { return n < bits ? x >> n : 0; }
static uint64_t arithmetic(uint64_t x, uint64_t n, unsigned bits)
{
    const int64_t wide = (int64_t)(x << (64 - bits)) >> (64 - bits);
    return (uint64_t)(wide >> (n < bits ? n : bits - 1));
}
static uint64_t rotate(uint64_t x, uint64_t n, unsigned bits)
{
    n %= bits;
    return n ? x << n | x >> (bits - n) : x;
}
EACH(sllw_n, w, 2, left(y, n, 16))
EACH(srlw_n, w, 2, right(y, n, 16))
EACH(sraw_n, w, 2, arithmetic(y, n, 16))
EACH_DQ(sll_n, left(y, n, 32), left(y, n, 64))
EACH_DQ(srl_n, right(y, n, 32), right(y, n, 64))
EACH_DQ(sra_n, arithmetic(y, n, 32), arithmetic(y, n, 64))
EACH_DQ(rol_n, rotate(y, n, 32), rotate(y, n, 64))
EACH_DQ(ror_n, rotate(y, 32 - n % 32, 32), rotate(y, 64 - n % 64, 64))
EACH_DQ(sllv, left(x, y, 32), left(x, y, 64))
EACH_DQ(srlv, right(x, y, 32), right(x, y, 64))
EACH_DQ(srav, arithmetic(x, y, 32), arithmetic(x, y, 64))
EACH_DQ(rolv, rotate(x, y, 32), rotate(x, y, 64))
EACH_DQ(rorv, rotate(x, 32 - y % 32, 32), rotate(x, 64 - y % 64, 64))
EACH_DQ(sll_x, left(x, b->q[0], 32),
        left(x, b->q[0], 64)) /* the count is the lower half of an xmm register */
EACH_DQ(srl_x, right(x, b->q[0], 32), right(x, b->q[0], 64))

/* bytes of each 128-bit lane; b is the source */
OP(slldq)
{
    emu_vec r = { { 0 } };
    (void)a;
    for (unsigned i = 0; i < len; i++) r.b[i] = i % 16 >= imm ? b->b[i - imm] : 0;
    memcpy(d, &r, len);
}

OP(srldq)
{
    emu_vec r = { { 0 } };
    (void)a;
    for (unsigned i = 0; i < len; i++) r.b[i] = i % 16 + imm < 16 ? b->b[i + imm] : 0;
    memcpy(d, &r, len);
}

/* --- permutations ----------------------------------------------------------------------------- */

/* Element i of d = element `from` of source, of size bytes each; d is not the source. */
static void place(emu_vec *d, unsigned i, const emu_vec *source, unsigned from, unsigned size)
{
    memcpy(d->b + size * i, source->b + size * from, size);
}

OP(shufb)
{
    emu_vec r;
    (void)imm;
    for (unsigned i = 0; i < len; i++)
        r.b[i] = b->b[i] & 0x80 ? 0 : a->b[(i & ~15u) + (b->b[i] & 15)];
    memcpy(d, &r, len);
}

OP(shufd)
{
    emu_vec r;
    (void)a;
    for (unsigned i = 0; i < len / 4; i++) place(&r, i, b, (i & ~3u) + (imm >> 2 * (i & 3) & 3), 4);
    memcpy(d, &r, len);
}

/* half: the words of each lane that move, 0: the lower four, 4: the upper four */
static void shufw(emu_vec *d, const emu_vec *b, unsigned len, unsigned imm, unsigned half)
{
    emu_vec r;
    for (unsigned i = 0; i < len / 2; i++)
        place(&r, i, b, (i & 4) == half ? (i & ~3u) + (imm >> 2 * (i & 3) & 3) : i, 2);
    memcpy(d, &r, len);
}
OP(shuflw) { (void)a; shufw(d, b, len, imm, 0); }
OP(shufhw) { (void)a; shufw(d, b, len, imm, 4); }

static void unpack(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned size,
                   unsigned high)
{
    emu_vec r;
    const unsigned n = 16 / size;                        /* elements in a lane */
    for (unsigned i = 0; i < len / size; i++)
        place(&r, i, i & 1 ? b : a, i / n * n + high * n / 2 + i % n / 2, size);
    memcpy(d, &r, len);
}
#    define UNPACK(name, size)                                                                     \
        OP(unpckl##name)                                                                           \
        {                                                                                          \
            (void)imm;                                                                             \
            unpack(d, a, b, len, size, 0);                                                         \
        }                                                                                          \
        OP(unpckh##name)                                                                           \
        {                                                                                          \
            (void)imm;                                                                             \
            unpack(d, a, b, len, size, 1);                                                         \
        }
UNPACK(bw, 1)
UNPACK(wd, 2)
UNPACK(dq, 4)
UNPACK(qdq, 8)

OP(alignr)                                               /* lanes of a:b, b below */
{
    emu_vec r;
    for (unsigned i = 0; i < len; i++) {
        const unsigned from = i % 16 + imm, lane = i & ~15u;
        r.b[i] = from < 16 ? b->b[lane + from] : from < 32 ? a->b[lane + from - 16] : 0;
    }
    memcpy(d, &r, len);
}

static void align(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm,
                  unsigned size)
{
    emu_vec r;
    const unsigned n = len / size;
    for (unsigned i = 0; i < n; i++) {
        const unsigned from = i + imm % n;
        place(&r, i, from < n ? b : a, from % n, size);
    }
    memcpy(d, &r, len);
}
OP(alignd) { align(d, a, b, len, imm, 4); }
OP(alignq) { align(d, a, b, len, imm, 8); }

/* lanes: the lower half from a, the upper from b */
OP(shuf128)
{
    emu_vec r;
    const unsigned lanes = len / 16, bits = lanes / 2;   /* 2 lanes: 1 bit each; 4 lanes: 2 bits */
    for (unsigned i = 0; i < lanes; i++)
        place(&r, i, i < lanes / 2 ? a : b, imm >> bits * i & (lanes - 1), 16);
    memcpy(d, &r, len);
}

#    define PERMUTE(letter, size)                                                                  \
        OP(perm##letter)                                                                           \
        {                                                                                          \
            emu_vec r;                                                                             \
            (void)imm;                                                                             \
            for (unsigned i = 0; i < len / size; i++)                                              \
                place(&r, i, b, (unsigned)a->letter[i] & (len / size - 1), size);                  \
            memcpy(d, &r, len);                                                                    \
        }                                                                                          \
        static void choose##letter(emu_vec *d, const emu_vec *index, const emu_vec *low,           \
                                   const emu_vec *high, unsigned len)                              \
        {                                                                                          \
            emu_vec r;                                                                             \
            for (unsigned i = 0; i < len / size; i++)                                              \
                place(&r, i, index->letter[i] & len / size ? high : low,                           \
                      (unsigned)index->letter[i] & (len / size - 1), size);                        \
            memcpy(d, &r, len);                                                                    \
        }                                                                                          \
        OP(permi2##letter)                                                                         \
        {                                                                                          \
            (void)imm;                                                                             \
            choose##letter(d, d, a, b, len);                                                       \
        }                                                                                          \
        OP(permt2##letter)                                                                         \
        {                                                                                          \
            (void)imm;                                                                             \
            choose##letter(d, a, d, b, len);                                                       \
        }
PERMUTE(w, 2)
PERMUTE(d, 4)
PERMUTE(q, 8)

OP(permq_n)
{
    emu_vec r;
    (void)a;
    for (unsigned i = 0; i < len / 8; i++) place(&r, i, b, (i & ~3u) + (imm >> 2 * (i & 3) & 3), 8);
    memcpy(d, &r, len);
}

/* the first size bytes of b everywhere */
#    define REPEAT(size)                                                                           \
        OP(repeat##size)                                                                           \
        {                                                                                          \
            emu_vec r;                                                                             \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / size; i++) place(&r, i, b, 0, size);                    \
            memcpy(d, &r, len);                                                                    \
        }
REPEAT(1)
REPEAT(2)
REPEAT(4)
REPEAT(8)
REPEAT(16)
REPEAT(32)
#    define EXTRACT(size)                                                                          \
        OP(extract##size)                                                                          \
        {                                                                                          \
            (void)a;                                                                               \
            memmove(d, b->b + size * (imm & (len / size - 1)), size);                              \
        }
EXTRACT(4)
EXTRACT(8)
EXTRACT(16)
EXTRACT(32)

OP(insert16)
{
    emu_vec r = *a;
    place(&r, imm & (len / 16 - 1), b, 0, 16);
    memcpy(d, &r, len);
}

OP(insert32)
{
    emu_vec r = *a;
    place(&r, imm & 1, b, 0, 32);
    memcpy(d, &r, len);
}

OP(insertd)                                              /* b->q[0] is the general register */
{
    emu_vec r = *a;
    place(&r, imm & 3, b, 0, 4);
    memcpy(d, &r, len);
}

OP(insertq)
{
    emu_vec r = *a;
    place(&r, imm & 1, b, 0, 8);
    memcpy(d, &r, len);
}

OP(low4)                                                 /* vmovd, vmovq: the rest is zero */
{
    emu_vec r = { { 0 } };
    UNUSED;
    memcpy(&r, b, 4);
    memcpy(d, &r, len);
}

OP(low8)
{
    emu_vec r = { { 0 } };
    UNUSED;
    memcpy(&r, b, 8);
    memcpy(d, &r, len);
}

#    define CONVERT(name, to, tsize, from)                                                         \
        OP(name)                                                                                   \
        {                                                                                          \
            emu_vec r = { { 0 } };                                                                 \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / tsize; i++) r.to[i] = (uint##to##_t)b->from[i];         \
            memcpy(d, &r, len);                                                                    \
        }
CONVERT(zxbw, w, 2, b)
CONVERT(zxbd, d, 4, b)
CONVERT(zxbq, q, 8, b)
CONVERT(zxwd, d, 4, w)
CONVERT(zxwq, q, 8, w)
CONVERT(zxdq, q, 8, d)
#    define NARROW(name, to, from, fsize)                                                          \
        OP(name)                                                                                   \
        {                                                                                          \
            emu_vec r = { { 0 } };                                                                 \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / fsize; i++) r.to[i] = (uint##to##_t)b->from[i];         \
            *d = r;                                                                                \
        }
NARROW(nwb, b, w, 2)
NARROW(ndb, b, d, 4)
NARROW(ndw, w, d, 4)
NARROW(nqd, d, q, 8)

/* --- to and from opmasks ---------------------------------------------------------------------- */

#    define TEST_EACH(name, letter, size, condition)                                               \
        OP(name##letter)                                                                           \
        {                                                                                          \
            uint64_t m = 0;                                                                        \
            (void)imm;                                                                             \
            for (unsigned i = 0; i < len / size; i++) {                                            \
                const uint64_t x = a->letter[i], y = b->letter[i];                                 \
                const int64_t sx = (int64_t)(x << (64 - 8 * size)),                                \
                              sy = (int64_t)(y << (64 - 8 * size));                                \
                (void)x, (void)sx, (void)y, (void)sy;                                              \
                if (condition) m |= (uint64_t)1 << i;                                              \
            }                                                                                      \
            d->q[0] = m;                                                                           \
        }
#    define TEST(name, condition)                                                                  \
        TEST_EACH(name, b, 1, condition)                                                           \
        TEST_EACH(name, w, 2, condition)                                                           \
        TEST_EACH(name, d, 4, condition)                                                           \
        TEST_EACH(name, q, 8, condition)

static int relation(unsigned imm, int less, int equal)   /* EQ LT LE FALSE NE NLT NLE TRUE */
{
    const int r[4] = { equal, less, less || equal, 0 };
    return imm & 4 ? !r[imm & 3] : r[imm & 3];
}
TEST(cmpeq, x == y)
TEST(cmpgt, sx > sy)
TEST(cmp, relation(imm, sx < sy, x == y))
TEST(cmpu, relation(imm, x < y, x == y))
TEST(testm, (x & y) != 0)
TEST(testnm, (x & y) == 0)
TEST(top, sy < 0)

#    define SPREAD(name, letter, size)                                                             \
        OP(name)                                                                                   \
        {                                                                                          \
            const uint64_t m = b->q[0];                                                            \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / size; i++)                                              \
                d->letter[i] = (uint##letter##_t)(0 - (m >> i & 1));                               \
        }
SPREAD(m2b, b, 1)
SPREAD(m2w, w, 2)
SPREAD(m2d, d, 4)
SPREAD(m2q, q, 8)

/* --- products of signed halves, duplicated and compressed elements ---------------------------- */

EACH(muldq, q, 8, (uint64_t)((int64_t)(int32_t)x * (int32_t)y))
EACH(mulhuw, w, 2, x * y >> 16)
EACH(absd, d, 4, y >> 31 ? 0 - y : y)

static int64_t sign32(uint64_t x) { return (int32_t)x; }
EACH_DQ(mins, sign32(x) < sign32(y) ? x : y, (int64_t)x < (int64_t)y ? x : y)
EACH_DQ(maxs, sign32(x) > sign32(y) ? x : y, (int64_t)x > (int64_t)y ? x : y)

#    define SIGNED(name, to, tsize, from, type)                                                    \
        OP(name)                                                                                   \
        {                                                                                          \
            emu_vec r = { { 0 } };                                                                 \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / tsize; i++) r.to[i] = (uint##to##_t)(type)b->from[i];   \
            memcpy(d, &r, len);                                                                    \
        }
SIGNED(sxbw, w, 2, b, int8_t)
SIGNED(sxbd, d, 4, b, int8_t)
SIGNED(sxwd, d, 4, w, int16_t)
SIGNED(sxdq, q, 8, d, int32_t)

/* the even or the odd elements, each twice */
#    define TWICE(name, size, odd)                                                                 \
        OP(name)                                                                                   \
        {                                                                                          \
            emu_vec r;                                                                             \
            UNUSED;                                                                                \
            for (unsigned i = 0; i < len / size; i++) place(&r, i, b, (i & ~1u) + odd, size);      \
            memcpy(d, &r, len);                                                                    \
        }
TWICE(even4, 4, 0)
TWICE(odd4, 4, 1)
TWICE(even8, 8, 0)

OP(shufps)                                               /* in each lane two of a below two of b */
{
    emu_vec r;
    for (unsigned i = 0; i < len / 4; i++)
        place(&r, i, i & 2 ? b : a, (i & ~3u) + (imm >> 2 * (i & 3) & 3), 4);
    memcpy(d, &r, len);
}

OP(shufpd)
{
    emu_vec r;
    for (unsigned i = 0; i < len / 8; i++)
        place(&r, i, i & 1 ? b : a, (i & ~1u) + (imm >> i & 1), 8);
    memcpy(d, &r, len);
}

OP(permilpd_n)
{
    emu_vec r;
    (void)a;
    for (unsigned i = 0; i < len / 8; i++) place(&r, i, b, (i & ~1u) + (imm >> i & 1), 8);
    memcpy(d, &r, len);
}

/* imm is the mask */
#    define COMPRESS(letter, size)                                                                 \
        OP(compress##letter)                                                                       \
        {                                                                                          \
            unsigned n = 0;                                                                        \
            (void)a;                                                                               \
            for (unsigned i = 0; i < len / size; i++)                                              \
                if (imm >> i & 1) place(d, n++, b, i, size);                                       \
        }
COMPRESS(d, 4)
COMPRESS(q, 8)

/* --- doubles: an FMA rounds once, as fma() does ----------------------------------------------- */

static double real(uint64_t x)
{
    double r;
    memcpy(&r, &x, sizeof r);
    return r;
}

/* x, y, z: the destination, vvvv, rm */
#    define REAL(name, expression)                                                                 \
        OP(name)                                                                                   \
        {                                                                                          \
            (void)imm;                                                                             \
            for (unsigned i = 0; i < len / 8; i++) {                                               \
                const double x = real(d->q[i]), y = real(a->q[i]), z = real(b->q[i]),              \
                             r = expression;                                                       \
                (void)x;                                                                           \
                memcpy(&d->q[i], &r, sizeof r);                                                    \
            }                                                                                      \
        }
REAL(addpd, y + z)
REAL(subpd, y - z)
REAL(fmadd132pd, fma(x, z, y))
REAL(fmadd213pd, fma(y, x, z))
REAL(fmadd231pd, fma(y, z, x))
REAL(mulpd, y * z)
REAL(divpd, y / z)
REAL(fmsub132pd, fma(x, z, -y))
REAL(fmsub213pd, fma(y, x, -z))
REAL(fmsub231pd, fma(y, z, -x))
REAL(fnmadd132pd, fma(-x, z, y))
REAL(fnmadd213pd, fma(-y, x, z))
REAL(fnmadd231pd, fma(-y, z, x))

/* the lowest element alone: the one above it is that of a or, in an FMA, unchanged */
#    define LOWEST(name, above)                                                                    \
        OP(name##sd)                                                                               \
        {                                                                                          \
            (void)len;                                                                             \
            name##pd(d, a, b, 8, imm);                                                             \
            d->q[1] = (above)->q[1];                                                               \
        }
LOWEST(add, a)
LOWEST(sub, a)
LOWEST(mul, a)
LOWEST(div, a)
LOWEST(fmadd132, d)
LOWEST(fmadd213, d)
LOWEST(fmadd231, d)
LOWEST(fmsub132, d)
LOWEST(fmsub213, d)
LOWEST(fmsub231, d)
LOWEST(fnmadd132, d)
LOWEST(fnmadd213, d)
LOWEST(fnmadd231, d)

OP(from_integer)
{
    const double r = (double)(int64_t)b->q[0];
    (void)len, (void)imm;
    memcpy(&d->q[0], &r, sizeof r);
    d->q[1] = a->q[1];
}

OP(cmppd)
{
    /* which of unordered, less, equal, greater make it true */
    static const unsigned char yes[16] = { 4, 2, 6, 1, 11, 13, 9, 14, 5, 3, 7, 0, 10, 12, 8, 15 };
    d->q[0] = 0;
    for (unsigned i = 0; i < len / 8; i++) {
        const double x = real(a->q[i]), y = real(b->q[i]);
        const unsigned is = x < y ? 2 : x > y ? 8 : x <= y ? 4 : 1;
        if (yes[imm & 15] & is) d->q[0] |= (uint64_t)1 << i;
    }
}

/* --- the rows --------------------------------------------------------------------------------- */

#define and_s  and64
#define and_d  and64
#define andn_s andn64
#define andn_d andn64
#define or_s   or64
#define or_d   or64
#define xor_s  xor64
#define xor_d  xor64
#define low_s  unpckldq
#define low_d  unpcklqdq
#define high_s unpckhdq
#define high_d unpckhqdq
#    define ROW(name, map, prefix, opcode, w, grain, broadcast, fn, form, memory, extension,       \
                flags)                                                                             \
        {                                                                                          \
            name, EMU_##map, EMU_##prefix, opcode, EMU_##w, EMU_EVEX, grain, broadcast, fn,        \
                EMU_##form, memory, extension, flags                                               \
        }
/* plain: three operands, masks by element; B: with broadcast */
#    define PLAIN(name, map, prefix, opcode, w, grain, fn)                                         \
        ROW(name, map, prefix, opcode, w, grain, 0, fn, RVM, 0, 0, 0)
#    define B(name, map, prefix, opcode, w, grain, fn)                                             \
        ROW(name, map, prefix, opcode, w, grain, grain, fn, RVM, 0, 0, 0)
#    define BOTH(name, map, prefix, opcode, fn)                                                    \
        B(name "d", map, prefix, opcode, W0, 4, fn##d),                                            \
            B(name "q", map, prefix, opcode, W1, 8, fn##q)
#    define LOGIC(name, opcode, fn)                                                                \
        B(name "d", 0F, 66, opcode, W0, 4, fn), B(name "q", 0F, 66, opcode, W1, 8, fn)
/* the same operations on vectors of floats */
#    define FLOAT(name, opcode, fn)                                                                \
        B(name "s", 0F, NP, opcode, W0, 4, fn##s), B(name "d", 0F, 66, opcode, W1, 8, fn##d)
#    define MOVE(name, prefix, load, store, w, grain, flags)                                       \
        ROW(name, 0F, prefix, load, w, grain, 0, copy, RVM, 0, 0, flags),                          \
            ROW(name " store", 0F, prefix, store, w, grain, 0, copy, MR, 0, 0, flags)
#    define SHIFT(name, opcode, ext, w, grain, broadcast, fn)                                      \
        ROW(name, 0F, 66, opcode, w, grain, broadcast, fn, VM, 0, ext + 1, EMU_IMM)
#    define LANE(name, low, high, fn16, fn32, form)                                                \
        ROW(name "32x4", 0F3A, 66, low, W0, 4, 0, fn16, form, 16, 0, 0),                           \
            ROW(name "64x2", 0F3A, 66, low, W1, 8, 0, fn16, form, 16, 0, 0),                       \
            ROW(name "32x8", 0F3A, 66, high, W0, 4, 0, fn32, form, 32, 0, 0),                      \
            ROW(name "64x4", 0F3A, 66, high, W1, 8, 0, fn32, form, 32, 0, 0)
#    define LANES(letter, opcode)                                                                  \
        ROW("vbroadcast" letter "32x4", 0F38, 66, opcode, W0, 4, 0, repeat16, RVM, 16, 0, 0),      \
            ROW("vbroadcast" letter "64x2", 0F38, 66, opcode, W1, 8, 0, repeat16, RVM, 16, 0, 0),  \
            ROW("vbroadcast" letter "32x8", 0F38, 66, opcode + 1, W0, 4, 0, repeat32, RVM, 32, 0,  \
                0),                                                                                \
            ROW("vbroadcast" letter "64x4", 0F38, 66, opcode + 1, W1, 8, 0, repeat32, RVM, 32, 0,  \
                0)
#    define K(name, map, prefix, opcode, w, grain, broadcast, fn)                                  \
        ROW(name, map, prefix, opcode, w, grain, broadcast, fn, KVM, 0, 0, 0)

#    define FMA(name, opcode, fn)                                                                  \
        B(name "132pd", 0F38, 66, opcode, W1, 8, fn##132pd),                                       \
            B(name "213pd", 0F38, 66, opcode + 16, W1, 8, fn##213pd),                              \
            B(name "231pd", 0F38, 66, opcode + 32, W1, 8, fn##231pd)
#    define LOW(name, map, prefix, opcode, fn)                                                     \
        ROW(name, map, prefix, opcode, W1, 0, 0, fn, RVM, 8, 0, 0)
#    define LOW_FMA(name, opcode, fn)                                                              \
        LOW(name "132sd", 0F38, 66, opcode, fn##132sd),                                            \
            LOW(name "213sd", 0F38, 66, opcode + 16, fn##213sd),                                   \
            LOW(name "231sd", 0F38, 66, opcode + 32, fn##231sd)

const emu_op emu_ops_avx512[] = {
    MOVE("vmovdqu8", F2, 0x6f, 0x7f, W0, 1, 0),
    MOVE("vmovdqu16", F2, 0x6f, 0x7f, W1, 2, 0),
    MOVE("vmovdqu32", F3, 0x6f, 0x7f, W0, 4, 0),
    MOVE("vmovdqu64", F3, 0x6f, 0x7f, W1, 8, 0),
    MOVE("vmovdqa32", 66, 0x6f, 0x7f, W0, 4, EMU_ALIGNED),
    MOVE("vmovdqa64", 66, 0x6f, 0x7f, W1, 8, EMU_ALIGNED),
    MOVE("vmovups", NP, 0x10, 0x11, W0, 4, 0),
    MOVE("vmovupd", 66, 0x10, 0x11, W1, 8, 0),
    MOVE("vmovaps", NP, 0x28, 0x29, W0, 4, EMU_ALIGNED),
    MOVE("vmovapd", 66, 0x28, 0x29, W1, 8, EMU_ALIGNED),
    LOGIC("vpand", 0xdb, and64),
    LOGIC("vpandn", 0xdf, andn64),
    LOGIC("vpor", 0xeb, or64),
    LOGIC("vpxor", 0xef, xor64),
    FLOAT("vandp", 0x54, and_),
    FLOAT("vandnp", 0x55, andn_),
    FLOAT("vorp", 0x56, or_),
    FLOAT("vxorp", 0x57, xor_),
    FLOAT("vunpcklp", 0x14, low_),
    FLOAT("vunpckhp", 0x15, high_),
    B("vpternlogd", 0F3A, 66, 0x25, W0, 4, ternary),
    B("vpternlogq", 0F3A, 66, 0x25, W1, 8, ternary),
    PLAIN("vpaddb", 0F, 66, 0xfc, WIG, 1, addb),
    PLAIN("vpaddw", 0F, 66, 0xfd, WIG, 2, addw),
    B("vpaddd", 0F, 66, 0xfe, W0, 4, addd),
    B("vpaddq", 0F, 66, 0xd4, W1, 8, addq),
    PLAIN("vpsubb", 0F, 66, 0xf8, WIG, 1, subb),
    PLAIN("vpsubw", 0F, 66, 0xf9, WIG, 2, subw),
    B("vpsubd", 0F, 66, 0xfa, W0, 4, subd),
    B("vpsubq", 0F, 66, 0xfb, W1, 8, subq),
    PLAIN("vpmullw", 0F, 66, 0xd5, WIG, 2, mullw),
    BOTH("vpmull", 0F38, 66, 0x40, mull),
    B("vpmuludq", 0F, 66, 0xf4, W1, 8, muludq),
    BOTH("vpminu", 0F38, 66, 0x3b, minu),
    BOTH("vpmaxu", 0F38, 66, 0x3f, maxu),
    SHIFT("vpsrlw", 0x71, 2, WIG, 2, 0, srlw_n),
    SHIFT("vpsraw", 0x71, 4, WIG, 2, 0, sraw_n),
    SHIFT("vpsllw", 0x71, 6, WIG, 2, 0, sllw_n),
    SHIFT("vprord", 0x72, 0, W0, 4, 4, ror_nd),
    SHIFT("vprorq", 0x72, 0, W1, 8, 8, ror_nq),
    SHIFT("vprold", 0x72, 1, W0, 4, 4, rol_nd),
    SHIFT("vprolq", 0x72, 1, W1, 8, 8, rol_nq),
    SHIFT("vpsrld", 0x72, 2, W0, 4, 4, srl_nd),
    SHIFT("vpsrad", 0x72, 4, W0, 4, 4, sra_nd),
    SHIFT("vpsraq", 0x72, 4, W1, 8, 8, sra_nq),
    SHIFT("vpslld", 0x72, 6, W0, 4, 4, sll_nd),
    SHIFT("vpsrlq", 0x73, 2, W1, 8, 8, srl_nq),
    SHIFT("vpsllq", 0x73, 6, W1, 8, 8, sll_nq),
    SHIFT("vpsrldq", 0x73, 3, WIG, 0, 0, srldq),
    SHIFT("vpslldq", 0x73, 7, WIG, 0, 0, slldq),
    ROW("vpslld x", 0F, 66, 0xf2, W0, 4, 0, sll_xd, RVM, 16, 0, 0),
    ROW("vpsllq x", 0F, 66, 0xf3, W1, 8, 0, sll_xq, RVM, 16, 0, 0),
    ROW("vpsrld x", 0F, 66, 0xd2, W0, 4, 0, srl_xd, RVM, 16, 0, 0),
    ROW("vpsrlq x", 0F, 66, 0xd3, W1, 8, 0, srl_xq, RVM, 16, 0, 0),
    BOTH("vpsllv", 0F38, 66, 0x47, sllv),
    BOTH("vpsrlv", 0F38, 66, 0x45, srlv),
    BOTH("vpsrav", 0F38, 66, 0x46, srav),
    BOTH("vprolv", 0F38, 66, 0x15, rolv),
    BOTH("vprorv", 0F38, 66, 0x14, rorv),
    PLAIN("vpshufb", 0F38, 66, 0x00, WIG, 1, shufb),
    ROW("vpshufd", 0F, 66, 0x70, W0, 4, 4, shufd, RVM, 0, 0, EMU_IMM),
    ROW("vpshufhw", 0F, F3, 0x70, WIG, 2, 0, shufhw, RVM, 0, 0, EMU_IMM),
    ROW("vpshuflw", 0F, F2, 0x70, WIG, 2, 0, shuflw, RVM, 0, 0, EMU_IMM),
    PLAIN("vpunpcklbw", 0F, 66, 0x60, WIG, 1, unpcklbw),
    PLAIN("vpunpckhbw", 0F, 66, 0x68, WIG, 1, unpckhbw),
    PLAIN("vpunpcklwd", 0F, 66, 0x61, WIG, 2, unpcklwd),
    PLAIN("vpunpckhwd", 0F, 66, 0x69, WIG, 2, unpckhwd),
    B("vpunpckldq", 0F, 66, 0x62, W0, 4, unpckldq),
    B("vpunpckhdq", 0F, 66, 0x6a, W0, 4, unpckhdq),
    B("vpunpcklqdq", 0F, 66, 0x6c, W1, 8, unpcklqdq),
    B("vpunpckhqdq", 0F, 66, 0x6d, W1, 8, unpckhqdq),
    PLAIN("vpalignr", 0F3A, 66, 0x0f, WIG, 1, alignr),
    BOTH("valign", 0F3A, 66, 0x03, align),
    B("vshufi32x4", 0F3A, 66, 0x43, W0, 4, shuf128),
    B("vshufi64x2", 0F3A, 66, 0x43, W1, 8, shuf128),
    PLAIN("vpermw", 0F38, 66, 0x8d, W1, 2, permw),
    BOTH("vperm", 0F38, 66, 0x36, perm),
    B("vpermq n", 0F3A, 66, 0x00, W1, 8, permq_n),
    PLAIN("vpermi2w", 0F38, 66, 0x75, W1, 2, permi2w),
    BOTH("vpermi2", 0F38, 66, 0x76, permi2),
    PLAIN("vpermt2w", 0F38, 66, 0x7d, W1, 2, permt2w),
    BOTH("vpermt2", 0F38, 66, 0x7e, permt2),
    ROW("vpbroadcastb", 0F38, 66, 0x78, W0, 1, 0, repeat1, RVM, 1, 0, 0),
    ROW("vpbroadcastw", 0F38, 66, 0x79, W0, 2, 0, repeat2, RVM, 2, 0, 0),
    ROW("vpbroadcastd", 0F38, 66, 0x58, W0, 4, 0, repeat4, RVM, 4, 0, 0),
    ROW("vpbroadcastq", 0F38, 66, 0x59, W1, 8, 0, repeat8, RVM, 8, 0, 0),
    ROW("vbroadcasti32x2", 0F38, 66, 0x59, W0, 4, 0, repeat8, RVM, 8, 0, 0),
    ROW("vpbroadcastb r", 0F38, 66, 0x7a, W0, 1, 0, repeat1, RG, 1, 0, 0),
    ROW("vpbroadcastw r", 0F38, 66, 0x7b, W0, 2, 0, repeat2, RG, 2, 0, 0),
    ROW("vpbroadcastd r", 0F38, 66, 0x7c, W0, 4, 0, repeat4, RG, 4, 0, 0),
    ROW("vpbroadcastq r", 0F38, 66, 0x7c, W1, 8, 0, repeat8, RG, 8, 0, 0),
    LANES("i", 0x5a),
    LANES("f", 0x1a),
    ROW("vbroadcastss", 0F38, 66, 0x18, W0, 4, 0, repeat4, RVM, 4, 0, 0),
    ROW("vbroadcastsd", 0F38, 66, 0x19, W1, 8, 0, repeat8, RVM, 8, 0, 0),
    LANE("vextracti", 0x39, 0x3b, extract16, extract32, MR),
    LANE("vextractf", 0x19, 0x1b, extract16, extract32, MR),
    LANE("vinserti", 0x38, 0x3a, insert16, insert32, RVM),
    LANE("vinsertf", 0x18, 0x1a, insert16, insert32, RVM),
    ROW("vpinsrd", 0F3A, 66, 0x22, W0, 0, 0, insertd, RG, 4, 0, 0),
    ROW("vpinsrq", 0F3A, 66, 0x22, W1, 0, 0, insertq, RG, 8, 0, 0),
    ROW("vpextrd", 0F3A, 66, 0x16, W0, 0, 0, extract4, GR, 4, 0, 0),
    ROW("vpextrq", 0F3A, 66, 0x16, W1, 0, 0, extract8, GR, 8, 0, 0),
    ROW("vmovd", 0F, 66, 0x6e, W0, 0, 0, low4, RG, 4, 0, 0),
    ROW("vmovq", 0F, 66, 0x6e, W1, 0, 0, low8, RG, 8, 0, 0),
    ROW("vmovd r", 0F, 66, 0x7e, W0, 0, 0, low4, GR, 4, 0, 0),
    ROW("vmovq r", 0F, 66, 0x7e, W1, 0, 0, low8, GR, 8, 0, 0),
    ROW("vmovq x", 0F, F3, 0x7e, W1, 0, 0, low8, RVM, 8, 0, 0),
    ROW("vmovq x store", 0F, 66, 0xd6, W1, 0, 0, low8, MR, 8, 0, 0),
    ROW("vpmovzxbw", 0F38, 66, 0x30, WIG, 2, 0, zxbw, RVM, EMU_HALF, 0, 0),
    ROW("vpmovzxbd", 0F38, 66, 0x31, WIG, 4, 0, zxbd, RVM, EMU_QUARTER, 0, 0),
    ROW("vpmovzxbq", 0F38, 66, 0x32, WIG, 8, 0, zxbq, RVM, EMU_EIGHTH, 0, 0),
    ROW("vpmovzxwd", 0F38, 66, 0x33, WIG, 4, 0, zxwd, RVM, EMU_HALF, 0, 0),
    ROW("vpmovzxwq", 0F38, 66, 0x34, WIG, 8, 0, zxwq, RVM, EMU_QUARTER, 0, 0),
    ROW("vpmovzxdq", 0F38, 66, 0x35, W0, 8, 0, zxdq, RVM, EMU_HALF, 0, 0),
    ROW("vpmovwb", 0F38, F3, 0x30, W0, 1, 0, nwb, MR, EMU_HALF, 0, 0),
    ROW("vpmovdb", 0F38, F3, 0x31, W0, 1, 0, ndb, MR, EMU_QUARTER, 0, 0),
    ROW("vpmovdw", 0F38, F3, 0x33, W0, 2, 0, ndw, MR, EMU_HALF, 0, 0),
    ROW("vpmovqd", 0F38, F3, 0x35, W0, 4, 0, nqd, MR, EMU_HALF, 0, 0),
    ROW("vpblendmb", 0F38, 66, 0x66, W0, 1, 0, copy, RVM, 0, 0, EMU_BLEND),
    ROW("vpblendmw", 0F38, 66, 0x66, W1, 2, 0, copy, RVM, 0, 0, EMU_BLEND),
    ROW("vpblendmd", 0F38, 66, 0x64, W0, 4, 4, copy, RVM, 0, 0, EMU_BLEND),
    ROW("vpblendmq", 0F38, 66, 0x64, W1, 8, 8, copy, RVM, 0, 0, EMU_BLEND),
    K("vpcmpeqb", 0F, 66, 0x74, WIG, 1, 0, cmpeqb),
    K("vpcmpeqw", 0F, 66, 0x75, WIG, 2, 0, cmpeqw),
    K("vpcmpeqd", 0F, 66, 0x76, W0, 4, 4, cmpeqd),
    K("vpcmpeqq", 0F38, 66, 0x29, W1, 8, 8, cmpeqq),
    K("vpcmpgtb", 0F, 66, 0x64, WIG, 1, 0, cmpgtb),
    K("vpcmpgtw", 0F, 66, 0x65, WIG, 2, 0, cmpgtw),
    K("vpcmpgtd", 0F, 66, 0x66, W0, 4, 4, cmpgtd),
    K("vpcmpgtq", 0F38, 66, 0x37, W1, 8, 8, cmpgtq),
    K("vpcmpb", 0F3A, 66, 0x3f, W0, 1, 0, cmpb),
    K("vpcmpw", 0F3A, 66, 0x3f, W1, 2, 0, cmpw),
    K("vpcmpd", 0F3A, 66, 0x1f, W0, 4, 4, cmpd),
    K("vpcmpq", 0F3A, 66, 0x1f, W1, 8, 8, cmpq),
    K("vpcmpub", 0F3A, 66, 0x3e, W0, 1, 0, cmpub),
    K("vpcmpuw", 0F3A, 66, 0x3e, W1, 2, 0, cmpuw),
    K("vpcmpud", 0F3A, 66, 0x1e, W0, 4, 4, cmpud),
    K("vpcmpuq", 0F3A, 66, 0x1e, W1, 8, 8, cmpuq),
    K("vptestmb", 0F38, 66, 0x26, W0, 1, 0, testmb),
    K("vptestmw", 0F38, 66, 0x26, W1, 2, 0, testmw),
    K("vptestmd", 0F38, 66, 0x27, W0, 4, 4, testmd),
    K("vptestmq", 0F38, 66, 0x27, W1, 8, 8, testmq),
    K("vptestnmb", 0F38, F3, 0x26, W0, 1, 0, testnmb),
    K("vptestnmw", 0F38, F3, 0x26, W1, 2, 0, testnmw),
    K("vptestnmd", 0F38, F3, 0x27, W0, 4, 4, testnmd),
    K("vptestnmq", 0F38, F3, 0x27, W1, 8, 8, testnmq),
    K("vpmovb2m", 0F38, F3, 0x29, W0, 1, 0, topb),
    K("vpmovw2m", 0F38, F3, 0x29, W1, 2, 0, topw),
    K("vpmovd2m", 0F38, F3, 0x39, W0, 4, 0, topd),
    K("vpmovq2m", 0F38, F3, 0x39, W1, 8, 0, topq),
    ROW("vpmovm2b", 0F38, F3, 0x28, W0, 0, 0, m2b, RK, 0, 0, 0),
    ROW("vpmovm2w", 0F38, F3, 0x28, W1, 0, 0, m2w, RK, 0, 0, 0),
    ROW("vpmovm2d", 0F38, F3, 0x38, W0, 0, 0, m2d, RK, 0, 0, 0),
    ROW("vpmovm2q", 0F38, F3, 0x38, W1, 0, 0, m2q, RK, 0, 0, 0),
    /* products of signed halves, duplicated and compressed elements, and what compilers write for
     * shuffles */
    B("vpmuldq", 0F38, 66, 0x28, W1, 8, muldq),
    PLAIN("vpmulhuw", 0F, 66, 0xe4, WIG, 2, mulhuw),
    ROW("vpabsd", 0F38, 66, 0x1e, W0, 4, 4, absd, RVM, 0, 0, 0),
    BOTH("vpmins", 0F38, 66, 0x39, mins),
    BOTH("vpmaxs", 0F38, 66, 0x3d, maxs),
    ROW("vpmovsxbw", 0F38, 66, 0x20, WIG, 2, 0, sxbw, RVM, EMU_HALF, 0, 0),
    ROW("vpmovsxbd", 0F38, 66, 0x21, WIG, 4, 0, sxbd, RVM, EMU_QUARTER, 0, 0),
    ROW("vpmovsxwd", 0F38, 66, 0x23, WIG, 4, 0, sxwd, RVM, EMU_HALF, 0, 0),
    ROW("vpmovsxdq", 0F38, 66, 0x25, W0, 8, 0, sxdq, RVM, EMU_HALF, 0, 0),
    ROW("vmovsldup", 0F, F3, 0x12, W0, 4, 0, even4, RVM, 0, 0, 0),
    ROW("vmovshdup", 0F, F3, 0x16, W0, 4, 0, odd4, RVM, 0, 0, 0),
    ROW("vmovddup", 0F, F2, 0x12, W1, 8, 0, even8, RVM, 0, 0, 0),
    ROW("vshufps", 0F, NP, 0xc6, W0, 4, 4, shufps, RVM, 0, 0, EMU_IMM),
    ROW("vshufpd", 0F, 66, 0xc6, W1, 8, 8, shufpd, RVM, 0, 0, EMU_IMM),
    ROW("vpermilps n", 0F3A, 66, 0x04, W0, 4, 4, shufd, RVM, 0, 0, 0),
    ROW("vpermilpd n", 0F3A, 66, 0x05, W1, 8, 8, permilpd_n, RVM, 0, 0, 0),
    B("vshuff32x4", 0F3A, 66, 0x23, W0, 4, shuf128),
    B("vshuff64x2", 0F3A, 66, 0x23, W1, 8, shuf128),
    B("vpermps", 0F38, 66, 0x16, W0, 4, permd),
    B("vpermpd", 0F38, 66, 0x16, W1, 8, permq),
    B("vpermpd n", 0F3A, 66, 0x01, W1, 8, permq_n),
    B("vpermi2ps", 0F38, 66, 0x77, W0, 4, permi2d),
    B("vpermi2pd", 0F38, 66, 0x77, W1, 8, permi2q),
    B("vpermt2ps", 0F38, 66, 0x7f, W0, 4, permt2d),
    B("vpermt2pd", 0F38, 66, 0x7f, W1, 8, permt2q),
    ROW("vblendmps", 0F38, 66, 0x65, W0, 4, 4, copy, RVM, 0, 0, EMU_BLEND),
    ROW("vblendmpd", 0F38, 66, 0x65, W1, 8, 8, copy, RVM, 0, 0, EMU_BLEND),
    ROW("vpcompressd", 0F38, 66, 0x8b, W0, 4, 0, compressd, MR, 0, 0, EMU_COMPRESS),
    ROW("vpcompressq", 0F38, 66, 0x8b, W1, 8, 0, compressq, MR, 0, 0, EMU_COMPRESS),
    /* doubles */
    B("vaddpd", 0F, 66, 0x58, W1, 8, addpd),
    B("vsubpd", 0F, 66, 0x5c, W1, 8, subpd),
    FMA("vfmadd", 0x98, fmadd),
    B("vmulpd", 0F, 66, 0x59, W1, 8, mulpd),
    B("vdivpd", 0F, 66, 0x5e, W1, 8, divpd),
    FMA("vfmsub", 0x9a, fmsub),
    FMA("vfnmadd", 0x9c, fnmadd),
    ROW("vcmppd", 0F, 66, 0xc2, W1, 8, 8, cmppd, KVM, 0, 0, EMU_IMM),
    ROW("vcvtsi2sd", 0F, F2, 0x2a, W1, 0, 0, from_integer, RG, 8, 0, 0),
    LOW("vaddsd", 0F, F2, 0x58, addsd),
    LOW("vsubsd", 0F, F2, 0x5c, subsd),
    LOW("vmulsd", 0F, F2, 0x59, mulsd),
    LOW("vdivsd", 0F, F2, 0x5e, divsd),
    LOW_FMA("vfmadd", 0x99, fmadd),
    LOW_FMA("vfmsub", 0x9b, fmsub),
    LOW_FMA("vfnmadd", 0x9d, fnmadd),
    { 0 }
};

/* The commonest instructions of AVX2, so that a run of emulated instructions goes past them */
#    define VEX(name, map, prefix, opcode, w, fn, form, memory, extension, flags)                  \
        {                                                                                          \
            name, EMU_##map, EMU_##prefix, opcode, EMU_##w, EMU_VEX, 0, 0, fn, EMU_##form, memory, \
                extension, flags                                                                   \
        }
#    define VEX3(name, map, opcode, fn) VEX(name, map, 66, opcode, WIG, fn, RVM, 0, 0, 0)
#    define VEX_MOVE(name, prefix, load, store, flags)                                             \
        VEX(name, 0F, prefix, load, WIG, copy, RVM, 0, 0, flags),                                  \
            VEX(name " store", 0F, prefix, store, WIG, copy, MR, 0, 0, flags)
#    define VEX_SHIFT(name, opcode, ext, fn)                                                       \
        VEX(name, 0F, 66, opcode, WIG, fn, VM, 0, ext + 1, EMU_IMM)

const emu_op emu_ops_vex[] = {
    VEX_MOVE("vmovdqa", 66, 0x6f, 0x7f, EMU_ALIGNED),
    VEX_MOVE("vmovdqu", F3, 0x6f, 0x7f, 0),
    VEX("vmovd", 0F, 66, 0x6e, W0, low4, RG, 4, 0, 0),
    VEX("vmovq", 0F, 66, 0x6e, W1, low8, RG, 8, 0, 0),
    VEX("vmovd r", 0F, 66, 0x7e, W0, low4, GR, 4, 0, 0),
    VEX("vmovq r", 0F, 66, 0x7e, W1, low8, GR, 8, 0, 0),
    VEX("vmovq x", 0F, F3, 0x7e, WIG, low8, RVM, 8, 0, 0),
    VEX("vmovq x store", 0F, 66, 0xd6, WIG, low8, MR, 8, 0, 0),
    VEX3("vpand", 0F, 0xdb, and64),
    VEX3("vpandn", 0F, 0xdf, andn64),
    VEX3("vpor", 0F, 0xeb, or64),
    VEX3("vpxor", 0F, 0xef, xor64),
    VEX3("vpaddd", 0F, 0xfe, addd),
    VEX3("vpaddq", 0F, 0xd4, addq),
    VEX3("vpsubd", 0F, 0xfa, subd),
    VEX3("vpsubq", 0F, 0xfb, subq),
    VEX3("vpcmpeqd", 0F, 0x76, alleqd),
    VEX3("vpcmpgtq", 0F38, 0x37, allgtq),
    VEX_SHIFT("vpsrld", 0x72, 2, srl_nd),
    VEX_SHIFT("vpsrad", 0x72, 4, sra_nd),
    VEX_SHIFT("vpslld", 0x72, 6, sll_nd),
    VEX_SHIFT("vpsrlq", 0x73, 2, srl_nq),
    VEX_SHIFT("vpsrldq", 0x73, 3, srldq),
    VEX_SHIFT("vpsllq", 0x73, 6, sll_nq),
    VEX_SHIFT("vpslldq", 0x73, 7, slldq),
    VEX3("vpshufb", 0F38, 0x00, shufb),
    VEX("vpshufd", 0F, 66, 0x70, WIG, shufd, RVM, 0, 0, EMU_IMM),
    VEX3("vpunpcklbw", 0F, 0x60, unpcklbw),
    VEX3("vpunpckhbw", 0F, 0x68, unpckhbw),
    VEX3("vpunpckldq", 0F, 0x62, unpckldq),
    VEX3("vpunpckhdq", 0F, 0x6a, unpckhdq),
    VEX3("vpunpcklqdq", 0F, 0x6c, unpcklqdq),
    VEX3("vpunpckhqdq", 0F, 0x6d, unpckhqdq),
    VEX3("vpalignr", 0F3A, 0x0f, alignr),
    VEX("vpermq", 0F3A, 66, 0x00, W1, permq_n, RVM, 0, 0, 0),
    VEX("vinserti128", 0F3A, 66, 0x38, W0, insert16, RVM, 16, 0, 0),
    VEX("vextracti128", 0F3A, 66, 0x39, W0, extract16, MR, 16, 0, 0),
    VEX("vpbroadcastd", 0F38, 66, 0x58, W0, repeat4, RVM, 4, 0, 0),
    VEX("vpbroadcastq", 0F38, 66, 0x59, W0, repeat8, RVM, 8, 0, 0),
    VEX("vbroadcasti128", 0F38, 66, 0x5a, W0, repeat16, RVM, 16, 0, 0),
    { 0 }
};
#endif
