/* DER (X.690, 10 and 11), the part that keys, signatures and ciphertexts need. Definite and
 * shortest lengths, shortest non-negative INTEGERs, single-byte tags: the writer reproduces exactly
 * what the reader accepts.
 *
 * Time: tags, lengths, INTEGERs and object identifiers are public and the reader branches on them.
 * It looks inside an OCTET STRING, which is where secrets are, only if the caller enters an element
 * there. */
#ifndef TY_KEY_DER_H
#define TY_KEY_DER_H

#include "tongyu/base.h"

enum {
    TY_DER_INTEGER = 0x02,
    TY_DER_BITS = 0x03,
    TY_DER_OCTETS = 0x04,
    TY_DER_NULL = 0x05,
    TY_DER_OID = 0x06,
    /* BARE0: [0] IMPLICIT of a primitive type; CTX0, CTX1: [0], [1], constructed */
    TY_DER_SEQUENCE = 0x30,
    TY_DER_BARE0 = 0x80,
    TY_DER_CTX0 = 0xa0,
    TY_DER_CTX1 = 0xa1
};

/* A reader of the remaining bytes. Errors are sticky: everything read from a bad reader is empty
 * and bad, so that a parser needs only one check at the end, ty_der_done: no error, and nothing
 * left over. */
typedef struct ty_der {
    const uint8_t *p;
    size_t len;
    int bad;
} ty_der;

static inline ty_der ty_der_from(const uint8_t *p, size_t len) { return (ty_der){ p, len, 0 }; }
static inline int ty_der_done(const ty_der *in) { return !in->bad && in->len == 0; }

/* The tag that comes next; 0, a tag that is not used here, at the end and in a bad reader. */
uint8_t ty_der_tag(const ty_der *in);

/* Reads one element, which must have this tag; the result is a reader of its contents. */
ty_der ty_der_enter(ty_der *in, uint8_t tag);

/* Reads an INTEGER in [0, 256^n) into exactly n big-endian bytes. */
void ty_der_uint(uint8_t *out, size_t n, ty_der *in);

/* Reads an INTEGER in [0, 2^32). */
uint32_t ty_der_u32(ty_der *in);

/* 1 if the contents of an element are exactly these bytes (public ones, an object identifier for
 * instance) */
int ty_der_is(const ty_der *contents, const uint8_t *bytes, size_t len);

/* The writer works from the end to the front, so that every length is known when it is written:
 * write the contents, last part first, then wrap them. Lack of room is sticky in the same way. */
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

/* Puts tag and length before the bytes that were written since o->p was `end`. */
void ty_der_wrap(ty_der_out *o, uint8_t tag, const uint8_t *end);

/* Writes an INTEGER, from n >= 1 big-endian bytes; leading zeros are omitted. */
void ty_der_put_uint(ty_der_out *o, const uint8_t *x, size_t n);

/* The final check of a parser. again: what was read, encoded again. TY_OK if it equals
 * der[der_len], else TY_ERR_FORMAT: only the one canonical encoding is accepted, whatever the
 * parser overlooks.
 *   time   public: the lengths and the result */
TY_MUST_CHECK ty_err ty_der_canonical(const uint8_t *again, size_t again_len, const uint8_t *der,
                                      size_t der_len);

/* ty_der_size: bytes of an element with contents of len bytes. ty_der_uint_size: bytes of the
 * INTEGER that ty_der_put_uint writes. */
size_t ty_der_size(size_t len);
size_t ty_der_uint_size(const uint8_t *x, size_t n);

#endif
