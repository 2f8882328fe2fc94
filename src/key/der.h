/* DER (X.690, 10 and 11), the part that keys, signatures and ciphertexts need. Definite and
 * shortest lengths, shortest non-negative INTEGERs, single-byte tags: what the reader takes, the
 * writer writes back bit by bit.
 *
 * Time: tags, lengths, INTEGERs and object identifiers are public and the reader branches on them.
 * It never looks inside an OCTET STRING, which is where secrets are. */
#ifndef TY_KEY_DER_H
#define TY_KEY_DER_H

#include "tongyu/base.h"

enum {
    TY_DER_INTEGER = 0x02,
    TY_DER_BITS = 0x03,
    TY_DER_OCTETS = 0x04,
    TY_DER_NULL = 0x05,
    TY_DER_OID = 0x06,
    /* BARE0: [0] IMPLICIT, of bytes */
    TY_DER_SEQUENCE = 0x30,
    TY_DER_BARE0 = 0x80,
    TY_DER_CTX0 = 0xa0,
    TY_DER_CTX1 = 0xa1
};

/* What is left to read. An error sticks: everything read from a bad reader is empty and bad, so
 * that a parser reads straight through and asks once, with ty_der_done, whether all went well and
 * nothing is left over. */
typedef struct ty_der {
    const uint8_t *p;
    size_t len;
    int bad;
} ty_der;

static inline ty_der ty_der_from(const uint8_t *p, size_t len) { return (ty_der){ p, len, 0 }; }
static inline int ty_der_done(const ty_der *in) { return !in->bad && in->len == 0; }

/* The tag that comes next; 0, which is no tag used here, at the end and in a bad reader. */
uint8_t ty_der_tag(const ty_der *in);

/* Take one element with this tag; the result reads its contents. */
ty_der ty_der_enter(ty_der *in, uint8_t tag);

/* INTEGER in [0, 256^n), to exactly n big-endian bytes. */
void ty_der_uint(uint8_t *out, size_t n, ty_der *in);

/* INTEGER in [0, 2^32) */
uint32_t ty_der_u32(ty_der *in);

/* 1 if the contents of an element are exactly these bytes (public ones, an object identifier for
 * instance) */
int ty_der_is(const ty_der *contents, const uint8_t *bytes, size_t len);

/* The writer goes from the end to the front, so that every length is known when its turn comes:
 * write the contents, last part first, then wrap them. No room sticks in the same way. */
typedef struct ty_der_out {
    uint8_t *start, *p;
    int bad;
} ty_der_out;

static inline ty_der_out ty_der_to(uint8_t *out, size_t room)
{
    return (ty_der_out){ out, out + room, 0 };
}

void ty_der_put(ty_der_out *o, const uint8_t *bytes, size_t len);
void ty_der_put_byte(ty_der_out *o, uint8_t byte);

/* Put tag and length before what was written since o->p was end. */
void ty_der_wrap(ty_der_out *o, uint8_t tag, const uint8_t *end);

/* INTEGER, from n >= 1 big-endian bytes; leading zeros are left out. */
void ty_der_put_uint(ty_der_out *o, const uint8_t *x, size_t n);

/* The last word about what was read, given that encoded again: TY_OK if it is der[der_len], else
 * TY_ERR_FORMAT, so that nothing but the one encoding passes, whatever a parser overlooks.
 * time: constant but for the lengths and the answer */
TY_MUST_CHECK ty_err ty_der_canonical(const uint8_t *again, size_t again_len, const uint8_t *der,
                                      size_t der_len);

/* Bytes of the element whose contents have len bytes; of the INTEGER that ty_der_put_uint
 * writes. */
size_t ty_der_size(size_t len);
size_t ty_der_uint_size(const uint8_t *x, size_t n);

#endif
