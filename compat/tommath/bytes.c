/* Conversion from and to bytes: big-endian, with a sign byte in front, or in words of any size and
 * order. */
#include "ltm.h"

#include <string.h>

/* --- Reading and writing bits from the lowest one on ------------------------------------------ */

/* The next `count` <= 8 bits of an integer, from the lowest on; zeros above its top. */
typedef struct { const mp_int *a; size_t at; } reader;

static unsigned next_bits(reader *r, unsigned count)
{
    const size_t i = r->at / LTM_BITS, s = r->at % LTM_BITS, used = (size_t)r->a->used;
    ltm_word w = i < used ? r->a->dp[i] : 0;
    if (i + 1 < used) w |= (ltm_word)r->a->dp[i + 1] << LTM_BITS;
    r->at += count;
    return (unsigned)(w >> s) & ((1u << count) - 1);
}

/* Writes bits, from the lowest on, into digits that are zero. */
typedef struct { mp_digit *d; size_t at; } writer;

static void put_bits(writer *w, unsigned v, unsigned count)
{
    const size_t i = w->at / LTM_BITS, s = w->at % LTM_BITS;
    const ltm_word t = (ltm_word)v << s;
    w->d[i] |= (mp_digit)t & MP_MASK;
    if (t >> LTM_BITS) w->d[i + 1] |= (mp_digit)(t >> LTM_BITS);
    w->at += count;
}

/* --- Big-endian ------------------------------------------------------------------------------- */

size_t mp_ubin_size(const mp_int *a) { return ((size_t)mp_count_bits(a) + 7) / 8; }
size_t mp_sbin_size(const mp_int *a) { return 1 + mp_ubin_size(a); }

/* Room for `bytes` bytes, all zero. */
static mp_err make_room(mp_int *a, size_t bytes)
{
    if (bytes > (size_t)INT_MAX / 8) return MP_MEM;
    LTM_TRY(ltm_room(a, bytes * 8 / LTM_BITS + 2));
    mp_zero(a);
    memset(a->dp, 0, (bytes * 8 / LTM_BITS + 2) * sizeof *a->dp);
    return MP_OKAY;
}

static mp_err from_bytes(mp_int *a, const unsigned char *buf, size_t size, mp_sign sign)
{
    for (; size && *buf == 0; size--) buf++;
    LTM_TRY(make_room(a, size));
    writer w = { a->dp, 0 };
    for (size_t i = size; i-- > 0;) put_bits(&w, buf[i], 8);
    ltm_fit(a, size * 8 / LTM_BITS + 2, sign);
    return MP_OKAY;
}

mp_err mp_from_ubin(mp_int *a, const unsigned char *buf, size_t size)
{
    return from_bytes(a, buf, size, MP_ZPOS);
}

mp_err mp_from_sbin(mp_int *a, const unsigned char *buf, size_t size)
{
    return size == 0 ? MP_VAL : from_bytes(a, buf + 1, size - 1, buf[0] ? MP_NEG : MP_ZPOS);
}

mp_err mp_to_ubin(const mp_int *a, unsigned char *buf, size_t maxlen, size_t *written)
{
    const size_t n = mp_ubin_size(a);
    if (n > maxlen) return MP_BUF;
    reader r = { a, 0 };
    for (size_t i = n; i-- > 0;) buf[i] = (unsigned char)next_bits(&r, 8);
    if (written) *written = n;
    return MP_OKAY;
}

mp_err mp_to_sbin(const mp_int *a, unsigned char *buf, size_t maxlen, size_t *written)
{
    if (maxlen == 0) return MP_BUF;
    LTM_TRY(mp_to_ubin(a, buf + 1, maxlen - 1, written));
    if (written) ++*written;
    buf[0] = a->sign == MP_NEG;
    return MP_OKAY;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Words of `size` bytes, whose highest `nails` bits are not part of the number: whole bytes, and
 * some bits of the highest remaining byte. Byte j of word i, both counted from the least
 * significant one, is at offset place(). */
typedef struct {
    size_t count, size, bytes;   /* bytes: those of a word that are not all nails */
    unsigned top;                /* bits of the highest of them */
    int msw_first, big;
} layout;

static size_t place(const layout *l, size_t i, size_t j)
{
    return (l->msw_first ? l->count - 1 - i : i) * l->size + (l->big ? l->size - 1 - j : j);
}

static int valid(size_t nails, size_t size)
{
    return size && size <= (size_t)-1 / 8 && nails < size * 8;
}

static layout describe(size_t count, mp_order order, size_t size, mp_endian endian, size_t nails)
{
    const union { uint16_t word; uint8_t byte[2]; } probe = { 1 };
    const int big = endian == MP_BIG_ENDIAN || (endian == MP_NATIVE_ENDIAN && probe.byte[1]);
    const layout l = {
        count, size, size - nails / 8, 8 - (unsigned)(nails % 8), order == MP_MSB_FIRST, big
    };
    return l;
}

size_t mp_pack_count(const mp_int *a, size_t nails, size_t size)
{
    if (!valid(nails, size)) return 0;
    const size_t bits = (size_t)mp_count_bits(a), word = size * 8 - nails;
    return bits / word + (bits % word != 0);
}

mp_err mp_pack(void *rop, size_t maxcount, size_t *written, mp_order order, size_t size,
               mp_endian endian, size_t nails, const mp_int *op)
{
    if (!valid(nails, size)) return MP_VAL;
    const layout l = describe(mp_pack_count(op, nails, size), order, size, endian, nails);
    if (l.count > maxcount) return MP_BUF;
    reader r = { op, 0 };
    unsigned char *out = rop;
    for (size_t i = 0; i < l.count; i++)
        for (size_t j = 0; j < size; j++)
            out[place(&l, i, j)] =
                j < l.bytes ? (unsigned char)next_bits(&r, j + 1 < l.bytes ? 8 : l.top) : 0;
    if (written) *written = l.count;
    return MP_OKAY;
}

mp_err mp_unpack(mp_int *rop, size_t count, mp_order order, size_t size, mp_endian endian,
                 size_t nails, const void *op)
{
    if (!valid(nails, size)) return MP_VAL;
    if (count > (size_t)INT_MAX / 8 / size) return MP_MEM;
    const layout l = describe(count, order, size, endian, nails);
    const unsigned char *in = op;
    LTM_TRY(make_room(rop, count * size));
    writer w = { rop->dp, 0 };
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < l.bytes; j++) {
            const unsigned bits = j + 1 < l.bytes ? 8 : l.top;
            put_bits(&w, in[place(&l, i, j)] & ((1u << bits) - 1), bits);
        }
    }
    ltm_fit(rop, count * size * 8 / LTM_BITS + 2, MP_ZPOS);
    return MP_OKAY;
}
