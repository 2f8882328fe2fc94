/* A parser of DER in place, for certificates and messages: each function reads one element and
 * checks that it is the canonical encoding of the expected type; the position of the first error is
 * remembered. All of it is public. */
#ifndef TY_KEY_STRICT_H
#define TY_KEY_STRICT_H

#include "key/der.h"
#include "tongyu/cert.h"

enum { TY_DER_SET = 0x31 };

typedef struct ty_strict {
    const uint8_t *wrong;   /* the first mistake; NULL: none yet */
} ty_strict;

/* Records an error at p, if it is the first. */
void ty_strict_blame(ty_strict *x, const uint8_t *p);

/* ty_strict_enter: as ty_der_enter. ty_strict_done: checks that nothing is left to read. */
ty_der ty_strict_enter(ty_strict *x, ty_der *in, uint8_t tag);
void ty_strict_done(ty_strict *x, const ty_der *in);

/* One element with this tag, or with any tag for 0: whole, tag and length included. Its contents
 * are not examined. */
ty_cert_part ty_strict_element(ty_strict *x, ty_der *in, uint8_t tag);

/* The contents of an INTEGER of either sign and at most 64 bytes, of a BIT STRING of whole bytes,
 * of an OBJECT IDENTIFIER. */
ty_cert_part ty_strict_integer(ty_strict *x, ty_der *in);
ty_cert_part ty_strict_bits(ty_strict *x, ty_der *in);
ty_der ty_strict_oid(ty_strict *x, ty_der *in);

/* AlgorithmIdentifier: the contents of its OBJECT IDENTIFIER; its parameters, whole, or nothing. */
void ty_strict_algorithm(ty_strict *x, ty_cert_part *id, ty_cert_part *parameters, ty_der *in);

/* 1 if two neighbours in a SET OF are in order    [X.690, 11.6] */
int ty_strict_in_order(const ty_cert_part *before, const ty_cert_part *next);

/* SET SIZE (1..MAX) OF ANY: its elements, which must be in the order of a SET OF. The contents of
 * each are not examined. */
ty_der ty_strict_values(ty_strict *x, ty_der *in);

/* Name, whole. */
ty_cert_part ty_strict_name(ty_strict *x, ty_der *in);

/* UTCTime or GeneralizedTime with a valid date and time to the second. Through 2049 writers must
 * use UTCTime, but readers have to accept both    [RFC 5280, 4.1.2.5] */
void ty_strict_time(ty_strict *x, char out[TY_CERT_TIME], ty_der *in);

#endif
