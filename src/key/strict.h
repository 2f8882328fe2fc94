/* DER that is taken apart where it lies, for certificates and messages: each step reads one
 * element, checks that it is the one encoding of what it should be, and remembers where the first
 * was that is not. All of it is public. */
#ifndef TY_KEY_STRICT_H
#define TY_KEY_STRICT_H

#include "key/der.h"
#include "tongyu/cert.h"

enum { TY_DER_SET = 0x31 };

typedef struct ty_strict {
    const uint8_t *wrong;   /* the first mistake; NULL: none yet */
} ty_strict;

void ty_strict_blame(ty_strict *x, const uint8_t *p);

/* ty_der_enter; and the end of what was entered: nothing may be left. */
ty_der ty_strict_enter(ty_strict *x, ty_der *in, uint8_t tag);
void ty_strict_done(ty_strict *x, const ty_der *in);

/* One element of this tag, or of any for 0: whole, tag and length included. What is in it is not
 * examined. */
ty_cert_part ty_strict_element(ty_strict *x, ty_der *in, uint8_t tag);

/* The contents of an INTEGER of any sign, of a BIT STRING of whole bytes, of an OBJECT IDENTIFIER.
 */
ty_cert_part ty_strict_integer(ty_strict *x, ty_der *in);
ty_cert_part ty_strict_bits(ty_strict *x, ty_der *in);
ty_der ty_strict_oid(ty_strict *x, ty_der *in);

/* AlgorithmIdentifier: the contents of its OBJECT IDENTIFIER; its parameters, whole, or nothing. */
void ty_strict_algorithm(ty_strict *x, ty_cert_part *id, ty_cert_part *parameters, ty_der *in);

/* The next of a SET OF must not come before the one before it    [X.690, 11.6] */
int ty_strict_in_order(const ty_cert_part *before, const ty_cert_part *next);

/* SET SIZE (1..MAX) OF ANY: its elements, in the order of a SET OF. What is in each of them is not
 * examined. */
ty_der ty_strict_values(ty_strict *x, ty_der *in);

/* Name, whole. */
ty_cert_part ty_strict_name(ty_strict *x, ty_der *in);

/* UTCTime or GeneralizedTime of a moment that exists, in seconds. Until 2049 only UTCTime should be
 * written, but readers have to take both    [RFC 5280, 4.1.2.5] */
void ty_strict_time(ty_strict *x, char out[TY_CERT_TIME], ty_der *in);

#endif
