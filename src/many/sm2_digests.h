/* The digests e = SM3(Z || message) of many messages that are signed or verified, side by side:
 * first each different Z, then the messages. */
#ifndef TY_MANY_SM2_DIGESTS_H
#define TY_MANY_SM2_DIGESTS_H

#include "sm2/sm2_internal.h"
#include "sm3/sm3.h"

#include <string.h>

/* The number of digests computed together is that of the jobs that share an inversion. Identities
 * longer than TY_SM2_SHORT_ID are hashed alone. */
enum { TY_SM2_DIGESTS = TY_EC_SM2_MANY, TY_SM2_SHORT_ID = 64 };

/* Neighbours often have the same identity and key: then they share Z, and the last Z is also kept
 * from one run to the next. A new object needs zs = texts = msgs = 0. */
typedef struct ty_sm2_digests {
    /* each different Z; the Z of each message */
    uint8_t z[TY_SM2_DIGESTS + 1][32], head[TY_SM2_DIGESTS][32];
    union {
        uint8_t text[TY_SM2_DIGESTS][TY_SM2_Z_TEXT + TY_SM2_SHORT_ID];
        /* for the verifying caller, from a run until the next message is added */
        ty_ec_sm2_check checks[TY_SM2_DIGESTS];
    };
    ty_sm3_job of_z[TY_SM2_DIGESTS], of_msg[TY_SM2_DIGESTS];
    size_t which[TY_SM2_DIGESTS], zs, texts, msgs;
    const uint8_t *id;           /* id, id_len, pub: those of the last Z */
    size_t id_len;
    ty_sm2_pub pub;
} ty_sm2_digests;

static inline int ty_sm2_same_pub(const ty_sm2_pub *a, const ty_sm2_pub *b)
{
    return a == b || (memcmp(a->x, b->x, 32) == 0 && memcmp(a->y, b->y, 32) == 0);
}

static inline int ty_sm2_same_id(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    return a_len == b_len && (a == b || a_len == 0 || memcmp(a, b, a_len) == 0);
}

/* Adds a message, whose digest e the next run writes; at most TY_SM2_DIGESTS between two runs.
 * id_len <= TY_SM2_ID_MAX */
static inline void ty_sm2_digests_add(ty_sm2_digests *d, uint8_t e[TY_AT_LEAST(32)],
                                      const uint8_t *msg, size_t msg_len, const uint8_t *id,
                                      size_t id_len, const ty_sm2_pub *pub)
{
    if (d->zs == 0 || !ty_sm2_same_id(d->id, d->id_len, id, id_len) ||
        !ty_sm2_same_pub(&d->pub, pub)) {
        uint8_t *z = d->z[d->zs++], *text = d->text[d->texts];
        /* the length is right */
        if (id_len > TY_SM2_SHORT_ID) (void)!ty_sm2_z(z, id, id_len, pub);
        else d->of_z[d->texts++] = (ty_sm3_job){ z, text, ty_sm2_z_text(text, id, id_len, pub) };
        d->id = id;
        d->id_len = id_len;
        d->pub = *pub;
    }
    d->which[d->msgs] = d->zs - 1;
    d->of_msg[d->msgs++] = (ty_sm3_job){ e, msg, msg_len };
}

/* The same for a message whose Z is known. */
static inline void ty_sm2_digests_add_behind(ty_sm2_digests *d, uint8_t e[TY_AT_LEAST(32)],
                                             const uint8_t *msg, size_t msg_len,
                                             const uint8_t z[TY_AT_LEAST(32)])
{
    memcpy(d->z[d->zs++], z, 32);
    d->id = NULL;
    d->id_len = SIZE_MAX;        /* of no identity */
    d->which[d->msgs] = d->zs - 1;
    d->of_msg[d->msgs++] = (ty_sm3_job){ e, msg, msg_len };
}

/* Writes the digests of all messages that were added since the last run. */
static inline void ty_sm2_digests_run(ty_sm2_digests *d)
{
    ty_sm3_many_hash(d->of_z, d->texts);
    for (size_t i = 0; i < d->msgs; i++) memcpy(d->head[i], d->z[d->which[i]], 32);
    ty_sm3_many_behind(d->of_msg, (const uint8_t (*)[32])d->head, d->msgs);
    if (d->zs > 1) memcpy(d->z[0], d->z[d->zs - 1], 32);
    d->zs = d->zs != 0;
    d->texts = d->msgs = 0;
}

#endif
