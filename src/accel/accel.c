/* The accelerator's driver. It needs nothing of the system except the caller's two functions that
 * access the registers.
 *
 * The device itself wipes operands, scalar and intermediate values at the end of every run. It
 * returns a point only if the input and the result are on the curve, and the host checks the result
 * again (ty_ec_pub_set), as ty_ec_mul does. */
#include "accel/accel_const.h"
#include "base/ct.h"
#include "ec/ec_binary.h"
#include "tongyu/accel.h"
#include "tongyu/ec_any.h"

#include <string.h>

enum {
    LEN = 32,              /* bytes of the device's elements, and of scalars that are not blinded */
    BLINDING = 8,          /* bytes that blinding adds to a scalar, at most */
    ADDS = 4,              /* the first minor version that has ADD */
    /* Maximum numbers of polls, each of which takes at least a cycle: the longest run takes 900,000
     * cycles, the known-answer test less than 200,000, and randomness should become available
     * between runs. */
    POLLS = 1 << 20,
    POLLS_RANDOM = 1 << 16
};

#define GET(value, field) ((value) >> field##_SHIFT & field##_MASK)

static uint32_t accel_get(const ty_accel *dev, uint32_t offset)
{
    return dev->bus.read(dev->bus.ctx, offset);
}
static void accel_put(const ty_accel *dev, uint32_t offset, uint32_t value)
{
    dev->bus.write(dev->bus.ctx, offset, value);
}

/* Waits until STATUS has none of the bits of clear and all of set: returns 1; 0 if the device is
 * locked, or after `polls` polls. */
static int accel_await(const ty_accel *dev, uint32_t clear, uint32_t set, int polls)
{
    for (int i = 0; i < polls; i++) {
        const uint32_t status = accel_get(dev, TY_ACCEL_STATUS);
        if (GET(status, TY_ACCEL_STATUS_LOCKED)) return 0;
        if (!(status & clear) && (status & set) == set) return 1;
    }
    return 0;
}

static int accel_wait_idle(const ty_accel *dev)
{
    return accel_await(dev, TY_ACCEL_STATUS_BUSY_MASK << TY_ACCEL_STATUS_BUSY_SHIFT, 0, POLLS);
}

static void accel_command(const ty_accel *dev, uint32_t code, uint32_t slot)
{
    accel_put(dev, TY_ACCEL_COMMAND,
              code << TY_ACCEL_COMMAND_CODE_SHIFT | slot << TY_ACCEL_COMMAND_SLOT_SHIFT);
}

/* Writes the scalar, with its blinding, as words from the least significant one on. */
static void scalar_put(const ty_accel *dev, const uint32_t *w, size_t words)
{
    for (size_t i = 0; i < words; i++)
        accel_put(dev, i < LEN / 4 ? TY_ACCEL_SCALAR + 4 * (uint32_t)i
                                   : TY_ACCEL_SCALAR_MORE + 4 * (uint32_t)(i - LEN / 4), w[i]);
}

/* Writes the element in[len], big-endian, len <= 32, times t^up, as eight words. */
static void number_put(const ty_accel *dev, uint32_t offset, const uint8_t *in, size_t len,
                       unsigned up)
{
    uint32_t w[LEN / 4] = {0};
    for (size_t i = 0; i < len; i++) {
        const size_t bit = 8 * (len - 1 - i) + up;
        const uint64_t v = (uint64_t)in[i] << bit % 32;
        if (bit / 32 < LEN / 4) w[bit / 32] |= (uint32_t)v;
        if (bit / 32 + 1 < LEN / 4) w[bit / 32 + 1] |= (uint32_t)(v >> 32);
    }
    for (size_t i = 0; i < LEN / 4; i++) accel_put(dev, offset + 4 * (uint32_t)i, w[i]);
    ty_wipe(w, sizeof w);
}

/* slot = the element in[len], times t^up */
static void slot_put(const ty_accel *dev, uint32_t slot, const uint8_t *in, size_t len, unsigned up)
{
    number_put(dev, TY_ACCEL_DATA, in, len, up);
    accel_command(dev, TY_ACCEL_DO_PUT, slot);
}

/* out[len] = the element in slot, divided by t^up */
static void slot_get(const ty_accel *dev, uint32_t slot, uint8_t *out, size_t len, unsigned up)
{
    uint32_t w[LEN / 4 + 1] = {0};
    accel_command(dev, TY_ACCEL_DO_GET, slot);
    for (size_t i = 0; i < LEN / 4; i++) w[i] = accel_get(dev, TY_ACCEL_DATA + 4 * (uint32_t)i);
    for (size_t i = 0; i < len; i++) {
        const size_t bit = 8 * (len - 1 - i) + up;
        out[i] = (uint8_t)(((uint64_t)w[bit / 32 + 1] << 32 | w[bit / 32]) >> bit % 32);
    }
    ty_wipe(w, sizeof w);
}

void ty_accel_reset(ty_accel *dev)
{
    accel_command(dev, TY_ACCEL_DO_ABORT, 0);
    (void)accel_wait_idle(dev);
    accel_put(dev, TY_ACCEL_ERROR, 0);
}

ty_err ty_accel_init(ty_accel *dev, const ty_accel_bus *bus)
{
    memset(dev, 0, sizeof *dev);
    dev->bus = *bus;
    ty_err err = TY_OK;
    if (accel_get(dev, TY_ACCEL_IDENT) != TY_ACCEL_IDENT_VALUE ||
        GET(accel_get(dev, TY_ACCEL_VERSION), TY_ACCEL_VERSION_MAJOR) != TY_ACCEL_MAJOR) {
        err = TY_ERR_UNSUPPORTED;
    } else {
        dev->parameters = accel_get(dev, TY_ACCEL_PARAMETERS);
        dev->options = accel_get(dev, TY_ACCEL_OPTIONS);
        if (!accel_wait_idle(dev)) err = TY_ERR_FAULT;
        else ty_accel_reset(dev);
    }
    if (err != TY_OK) memset(dev, 0, sizeof *dev);
    return err;
}

ty_err ty_accel_selftest(ty_accel *dev)
{
    if (!GET(dev->options, TY_ACCEL_OPTIONS_SELFTEST)) return TY_ERR_UNSUPPORTED;
    dev->context[TY_ACCEL_CONTEXTS - 1].config = 0;      /* the test is about to overwrite it */
    accel_command(dev, TY_ACCEL_DO_SELFTEST, 0);
    const int idle = accel_wait_idle(dev);
    const uint32_t error = accel_get(dev, TY_ACCEL_ERROR);
    ty_accel_reset(dev);
    if (idle && error == TY_ACCEL_E_NONE) return TY_OK;
    return idle && error == TY_ACCEL_E_RANDOM ? TY_ERR_RNG : TY_ERR_FAULT;
}

uint32_t ty_accel_cycles(const ty_accel *dev) { return accel_get(dev, TY_ACCEL_CYCLES); }

/* --- Curves ----------------------------------------------------------------------------------- */

static const struct {
    uint16_t terms[4];   /* exponents, the degree first; 0 ends the list, and is the term 1 */
} fields[] = { { { 113, 9 } },  { { 131, 8, 3, 2 } }, { { 163, 7, 6, 3 } },
               { { 193, 15 } }, { { 233, 74 } },      { { 239, 158 } } };

/* CONFIG for the curve, or 0 if the device does not support it. */
static uint32_t config_of(const ty_accel *dev, const ty_ec_curve *curve, const ty_ec_params *p)
{
    const uint32_t steps = (uint32_t)ty_ec_order_bits(curve), m = (uint32_t)ty_ec_field_bits(curve);
    if (steps > 8 * LEN - 1) return 0;
    const uint32_t config = steps << TY_ACCEL_CONFIG_STEPS_SHIFT;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        uint8_t poly[LEN] = {0};
        const size_t len = fields[f].terms[0] / 8u + 1;
        if (!(GET(dev->parameters, TY_ACCEL_PARAMETERS_FIELDS) >> f & 1)) continue;
        poly[len - 1] = 1;
        for (size_t i = 0; i < 4 && fields[f].terms[i]; i++)
            poly[len - 1 - fields[f].terms[i] / 8u] |= (uint8_t)(1u << fields[f].terms[i] % 8u);
        if (p->poly_len == len && memcmp(p->poly, poly, len) == 0)
            return config | (uint32_t)f << TY_ACCEL_CONFIG_FIELD_SHIFT;
    }
    if (m < 3 || m > GET(dev->options, TY_ACCEL_OPTIONS_GENERIC)) return 0;
    return config | 1u << TY_ACCEL_CONFIG_GENERIC_SHIFT | m << TY_ACCEL_CONFIG_DEGREE_SHIFT;
}

int ty_accel_has(const ty_accel *dev, const ty_ec_curve *curve)
{
    ty_ec_params p;
    ty_ec_params_get(&p, curve);
    return config_of(dev, curve, &p) != 0;
}

/* Loads the curve into a context, unless one has it, and selects that context. Elements must be
 * written times t^*up, because generic mode needs them at the top of their register. */
static ty_err accel_load(ty_accel *dev, const ty_ec_curve *curve, unsigned *up)
{
    ty_ec_params p;
    ty_ec_params_get(&p, curve);
    uint32_t config = config_of(dev, curve, &p);
    if (!config) return TY_ERR_UNSUPPORTED;
    config |= dev->blind << TY_ACCEL_CONFIG_BLIND_SHIFT;
    const size_t len = ty_ec_field_len(curve), m = ty_ec_field_bits(curve);
    const uint8_t *root = curve->abcg + 2 * len;   /* sqrt(b) */
    uint8_t poly[LEN] = {0};
    memcpy(poly + LEN - p.poly_len, p.poly, p.poly_len);
    *up = GET(config, TY_ACCEL_CONFIG_GENERIC) ? (unsigned)(8 * LEN - m) : 0;
    /* compared by parameters, because another curve may later be at the same address */
    for (uint32_t i = 0; i < TY_ACCEL_CONTEXTS; i++)
        if (dev->context[i].config == config && memcmp(dev->context[i].poly, poly, LEN) == 0 &&
            memcmp(dev->context[i].a, p.a, len) == 0 && memcmp(dev->context[i].b, p.b, len) == 0) {
            accel_put(dev, TY_ACCEL_CONTEXT, i);
            if (accel_get(dev, TY_ACCEL_CONFIG) == config) return TY_OK;
            dev->context[i].config = 0;   /* the device has been reset, and has no curve any more */
        }

    const uint32_t context = dev->next++ % TY_ACCEL_CONTEXTS;
    dev->context[context].config = 0;
    accel_put(dev, TY_ACCEL_CONTEXT, context);
    accel_put(dev, TY_ACCEL_CONFIG, config);
    accel_put(dev, TY_ACCEL_ERROR, 0);
    slot_put(dev, TY_ACCEL_SLOT_A, p.a, len, *up);
    slot_put(dev, TY_ACCEL_SLOT_B, p.b, len, *up);
    slot_put(dev, TY_ACCEL_SLOT_ROOT, root, len, *up);
    if (*up) {   /* M without its leading term */
        uint8_t rest[LEN];
        memcpy(rest, poly, sizeof rest);
        rest[LEN - 1 - m / 8] ^= (uint8_t)(1u << m % 8);
        slot_put(dev, TY_ACCEL_SLOT_POLY, rest, LEN, *up);
    }
    if (accel_get(dev, TY_ACCEL_ERROR) != TY_ACCEL_E_NONE) return TY_ERR_FAULT;
    memcpy(dev->context[context].poly, poly, LEN);
    memcpy(dev->context[context].a, p.a, len);
    memcpy(dev->context[context].b, p.b, len);
    dev->context[context].config = config;
    return TY_OK;
}

/* --- Scalars ---------------------------------------------------------------------------------- */

ty_err ty_accel_blind(ty_accel *dev, unsigned bits, const ty_rng *rng)
{
    if (bits != 0 && bits != 32 && bits != 64) return TY_ERR_ARG;
    if (bits / 32 > GET(dev->options, TY_ACCEL_OPTIONS_BLIND)) return TY_ERR_UNSUPPORTED;
    dev->blind = bits / 32;
    if (bits) dev->rng = *rng;
    return TY_OK;
}

/* w = in[len] as words, the least significant first; w is zero before */
static void words_of(uint32_t *w, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len; i++)
        w[i / 4] |= (uint32_t)in[len - 1 - i] << 8 * (i % 4);
}

/* w = k + r n, where w is zero before and r is random below 2^(32 dev->blind). That gives the same
 * multiple as k, because a ty_ec_pub has order n. If n has b bits, and k no more (else
 * TY_ERR_UNSUPPORTED), then
 *   k + r n < 2^b + (2^(32 blind) - 1) 2^b = 2^(b + 32 blind),
 * which the ladder accepts. */
static ty_err scalar_blinded(uint32_t *w, const ty_accel *dev, const uint8_t *k,
                             const ty_ec_curve *curve)
{
    ty_ec_params p;
    ty_ec_params_get(&p, curve);
    const unsigned spare = (unsigned)(8 * p.n_len - ty_ec_order_bits(curve));
    uint8_t noise[BLINDING] = {0};
    uint32_t n[LEN / 4] = {0}, r[BLINDING / 4] = {0};
    words_of(w, k, p.n_len);
    if (k[0] >> (8 - spare)) return TY_ERR_UNSUPPORTED;
    if (!dev->blind) return TY_OK;
    if (dev->rng.fill(dev->rng.ctx, noise + BLINDING - 4 * dev->blind, 4 * dev->blind) != TY_OK) {
        ty_wipe(noise, sizeof noise);
        return TY_ERR_RNG;
    }
    words_of(n, p.n, p.n_len);
    words_of(r, noise, sizeof noise);
    for (size_t j = 0; j < dev->blind; j++) {
        uint64_t carry = 0;
        for (size_t i = 0; i < LEN / 4; i++) {
            carry += ty_mul32(r[j], n[i]) + w[i + j];
            w[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        w[LEN / 4 + j] = (uint32_t)carry;
    }
    ty_wipe(noise, sizeof noise);
    ty_wipe(r, sizeof r);
    return TY_OK;
}

/* --- Points ----------------------------------------------------------------------------------- */

/* A multiple k pub, one of those that are added. */
struct term {
    const uint8_t *k;
    const ty_ec_pub *pub;
};

/* Runs the command on the curve that is loaded: the result that the device keeps becomes k pub with
 * START, or that result + k pub with ADD. *infinite: whether the new result is infinity.
 *   err    TY_ERR_KEY if pub is not a point of the curve, and others of ty_accel_mul */
static ty_err accel_run(ty_accel *dev, uint32_t command, const struct term *t, unsigned up,
                        int *infinite)
{
    const size_t len = ty_ec_field_len(t->pub->curve);
    slot_put(dev, TY_ACCEL_SLOT_X, t->pub->xy, len, up);
    slot_put(dev, TY_ACCEL_SLOT_Y, t->pub->xy + len, len, up);
    uint32_t scalar[(LEN + BLINDING) / 4] = {0};
    const ty_err err = scalar_blinded(scalar, dev, t->k, t->pub->curve);
    if (err == TY_OK) scalar_put(dev, scalar, LEN / 4 + dev->blind);
    ty_wipe(scalar, sizeof scalar);
    if (err != TY_OK) {
        ty_accel_reset(dev);
        return err;
    }
    if (!accel_await(dev, TY_ACCEL_STATUS_BUSY_MASK << TY_ACCEL_STATUS_BUSY_SHIFT,
               TY_ACCEL_STATUS_READY_MASK << TY_ACCEL_STATUS_READY_SHIFT, POLLS_RANDOM)) {
        /* With randomness and without READY the context is not complete. */
        const uint32_t status = accel_get(dev, TY_ACCEL_STATUS);
        const int fault =
            GET(status, TY_ACCEL_STATUS_LOCKED) || GET(status, TY_ACCEL_STATUS_RANDOM);
        ty_accel_reset(dev);
        return fault ? TY_ERR_FAULT : TY_ERR_RNG;
    }
    accel_command(dev, command, 0);
    const int idle = accel_wait_idle(dev);
    const uint32_t error = accel_get(dev, TY_ACCEL_ERROR), status = accel_get(dev, TY_ACCEL_STATUS);
    *infinite = GET(status, TY_ACCEL_STATUS_INFINITE) != 0;
    if (idle && error == TY_ACCEL_E_NONE && GET(status, TY_ACCEL_STATUS_RESULT)) return TY_OK;
    ty_accel_reset(dev);
    return error == TY_ACCEL_E_POINT    ? TY_ERR_KEY
           : error == TY_ACCEL_E_SCALAR ? TY_ERR_UNSUPPORTED
                                        : TY_ERR_FAULT;
}

/* xy = the sum of the terms; TY_ERR_KEY if that is infinity, or a point is not one of the curve */
static ty_err accel_sum(ty_accel *dev, uint8_t *xy, const struct term *terms, size_t count)
{
    const size_t len = ty_ec_field_len(terms->pub->curve);
    unsigned up;
    int infinite = 1;
    ty_err err = accel_load(dev, terms->pub->curve, &up);
    for (size_t i = 0; i < count && err == TY_OK; i++)
        err = accel_run(dev, i ? TY_ACCEL_DO_ADD : TY_ACCEL_DO_START, terms + i, up, &infinite);
    if (err != TY_OK) return err;
    if (!infinite) {
        slot_get(dev, TY_ACCEL_SLOT_RESULT_X, xy, len, up);
        slot_get(dev, TY_ACCEL_SLOT_RESULT_Y, xy + len, len, up);
    }
    accel_command(dev, TY_ACCEL_DO_ZEROISE, 0);
    if (!accel_wait_idle(dev)) return TY_ERR_FAULT;
    return infinite ? TY_ERR_KEY : TY_OK;
}

/* z = the sum of the terms, whose points are on one curve */
static ty_err accel_point(ty_accel *dev, ty_ec_pub *z, const struct term *terms, size_t count)
{
    const ty_ec_curve *curve = terms->pub->curve;
    uint8_t point[1 + 2 * LEN] = {4};
    if (!ty_accel_has(dev, curve)) return TY_ERR_UNSUPPORTED;
    ty_ec_pub q;
    ty_err err = accel_sum(dev, point + 1, terms, count);
    if (err == TY_OK) {
        err = ty_ec_pub_set(&q, curve, point, 1 + 2 * ty_ec_field_len(curve)) == TY_OK
                  ? TY_OK
                  : TY_ERR_FAULT;
        if (err == TY_OK) *z = q;
        ty_wipe(&q, sizeof q);
    }
    ty_wipe(point, sizeof point);
    return err;
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_accel_mul(ty_accel *dev, ty_ec_pub *z, const uint8_t *k, const ty_ec_pub *pub)
{
    const struct term t = {k, pub};
    return accel_point(dev, z, &t, 1);
}
#endif

ty_err ty_accel_mul_add(ty_accel *dev, ty_ec_pub *z, const uint8_t *u, const ty_ec_pub *p,
                        const uint8_t *v, const ty_ec_pub *q)
{
    const struct term terms[2] = {{u, p}, {v, q}};
    if (p->curve != q->curve) return TY_ERR_ARG;
    if (GET(accel_get(dev, TY_ACCEL_VERSION), TY_ACCEL_VERSION_MINOR) < ADDS)
        return TY_ERR_UNSUPPORTED;
    return accel_point(dev, z, terms, 2);
}

#if !defined(TY_PUBLIC_ONLY)
/* out = the x coordinate of k pub */
static ty_err accel_agree(ty_accel *dev, uint8_t *out, const uint8_t *k, const ty_ec_pub *pub)
{
    ty_ec_pub q;
    const ty_err err = ty_accel_mul(dev, &q, k, pub);
    if (err == TY_OK) memcpy(out, q.xy, ty_ec_field_len(pub->curve));
    ty_wipe(&q, sizeof q);
    return err;
}

ty_err ty_accel_ecdh(ty_accel *dev, uint8_t *out, const ty_ec_pub *pub, const ty_ec_key *key)
{
    return pub->curve == key->pub.curve ? accel_agree(dev, out, key->d, pub) : TY_ERR_ARG;
}

/* d = 2d mod n, for d < n */
static void accel_twice(uint8_t *d, const uint8_t *n, size_t len)
{
    uint8_t less[LEN];
    uint32_t carry = 0, borrow = 0;
    for (size_t i = len; i-- > 0;) {
        carry |= (uint32_t)d[i] << 1;
        d[i] = (uint8_t)carry;
        carry >>= 8;
        const uint32_t t = (uint32_t)d[i] - n[i] - borrow;
        less[i] = (uint8_t)t;
        borrow = t >> 31;
    }
    const uint8_t mask = (uint8_t)(0u - (carry | (borrow ^ 1u)));   /* all ones if 2d >= n */
    for (size_t i = 0; i < len; i++) d[i] = (uint8_t)((d[i] & (uint8_t)~mask) | (less[i] & mask));
    ty_wipe(less, sizeof less);
}

/* h is a power of two on every named curve, and P has order n: multiplication by h d mod n gives
 * the same as by h d. */
ty_err ty_accel_ecdh_cofactor(ty_accel *dev, uint8_t *out, const ty_ec_pub *pub,
                              const ty_ec_key *key)
{
    ty_ec_params p;
    uint8_t hd[LEN];
    if (pub->curve != key->pub.curve) return TY_ERR_ARG;
    if (!ty_accel_has(dev, pub->curve)) return TY_ERR_UNSUPPORTED;
    ty_ec_params_get(&p, pub->curve);
    if (p.h & (p.h - 1)) return TY_ERR_UNSUPPORTED;
    memcpy(hd, key->d, p.n_len);
    for (uint32_t h = p.h; h > 1; h >>= 1) accel_twice(hd, p.n, p.n_len);
    const ty_err err = accel_agree(dev, out, hd, pub);
    ty_wipe(hd, sizeof hd);
    return err;
}
#endif
