/* Integers of any size: their memory, bytes and decimal digits (src/mp), for CBMC. The allocator
 * may fail. */
#include "any.h"

#include "mp/alloc.c"
#define get get_bytes   /* radix_in.c has a function of that name, too */
#include "mp/bytes.c"
#undef get
#include "mp/radix_in.c"

void ty_wipe(void *p, size_t n) { memset(p, 0, n); }

void ty_mp_init_with(ty_mp *x, const ty_alloc *alloc)
{
    memset(x, 0, sizeof *x);
    x->alloc = alloc;
}

void ty_mp_fix(ty_mp *z, size_t n)
{
    z->len = n;
    z->neg = 0;
}

static size_t taken;   /* bytes of the last allocation */

static void *take_one(void *ctx, size_t bytes)
{
    (void)ctx;
    if (any_int()) return NULL;
    assume(bytes <= 16 * TY_MP_SMALL);   /* a larger one may be refused as well */
    taken = bytes;
    return any_bytes(bytes);
}

static void give_one(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    (void)bytes;
    free(p);
}

/* Room for any number of limbs: refused or provided, and the value is kept. */
void proof_grow(void)
{
    const ty_alloc alloc = { take_one, give_one, NULL };
    ty_mp x;
    ty_mp_init_with(&x, &alloc);
    x.len = any_size_to(3);
    for (size_t i = 0; i < 3; i++) x.small[i] = any_size();
    const size_t i = any_size_to(2), n = any_size(), len = x.len;
    const ty_limb was = x.small[i];
    const ty_err err = ty_mp_grow(&x, n);
    assert(err == TY_OK || err == TY_ERR_MEM || err == TY_ERR_SIZE);
    assert(x.len == len && (i >= len || ty_mp_cd(&x)[i] == was));
    if (err != TY_OK) return;
    assert(n <= (x.heap ? x.room : TY_MP_SMALL));
    assert(!x.heap || taken / 8 == x.room);   /* no bit of the product was lost */
}

/* Bytes are converted to limbs and back, in both orders. */
void proof_bytes(void)
{
    for (int big = 0; big < 2; big++)
        for (size_t len = 0; len <= 18; len++) {
            const uint8_t *const in = any_bytes(len);
            uint8_t again[18];
            ty_mp x;
            ty_mp_init_with(&x, NULL);
            assert((big ? ty_mp_set_be(&x, in, len) : ty_mp_set_le(&x, in, len)) == TY_OK);
            assert(x.len == (len + 7) / 8 && !x.heap);
            assert((big ? ty_mp_get_be(again, len, &x) : ty_mp_get_le(again, len, &x)) == TY_OK);
            for (size_t i = 0; i < len; i++) assert(again[i] == in[i]);
        }
}

/* A number is refused if and only if it is longer than the room. */
void proof_room(void)
{
    for (size_t limbs = 0; limbs <= 2; limbs++)
        for (size_t room = 0; room <= 18; room++) {
            uint8_t *const out = any_bytes(room);
            ty_mp x;
            ty_mp_init_with(&x, NULL);
            x.len = limbs;
            size_t bytes = 0;
            for (size_t i = 0; i < limbs; i++) x.small[i] = any_size();
            for (size_t k = 0; k < 8 * limbs; k++)
                if (x.small[k / 8] >> 8 * (k % 8) & 255) bytes = k + 1;
            assert((ty_mp_get_be(out, room, &x) == TY_OK) == (bytes <= room));
        }
}

/* A text is accepted if and only if all its characters are digits. */
void proof_digits(void)
{
    for (size_t len = 0; len <= 17; len++) {
        const char *const in = (const char *)any_bytes(len);
        reader s;
        prepare(&s, &ten);
        int all = 1;
        for (size_t i = 0; i < len; i++) all &= in[i] >= '0' && in[i] <= '9';
        assert(all_digits(&s, in, len) == all);
    }
}
