/* ML-DSA keys as plain DER: see key/mldsa_plain.h. */
#include "key/mldsa_plain.h"
#include "base/ct.h"
#include "key/der.h"

#include <string.h>

/* 2.16.840.1.101.3.4.3.17, .18, .19: id-ml-dsa-44, -65, -87. They differ in the last byte only. */
static const uint8_t id_ml_dsa[] = { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03 };
static const struct {
    ty_mldsa_set set;
    uint8_t last;
} sets[] = { { TY_MLDSA_44, 17 }, { TY_MLDSA_65, 18 }, { TY_MLDSA_87, 19 } };

/* --- writing, last field first ---------------------------------------------------------------- */

static void put_element(ty_der_out *o, uint8_t tag, const uint8_t *bytes, size_t len)
{
    const uint8_t *end = o->p;
    ty_der_put(o, bytes, len);
    ty_der_wrap(o, tag, end);
}

/* AlgorithmIdentifier { id-ml-dsa-.. }, without parameters    [RFC 9881, 2] */
static void put_mldsa_algorithm(ty_der_out *o, ty_mldsa_set set)
{
    const uint8_t *end = o->p;
    size_t i = 0;
    while (sets[i].set != set) i++;
    ty_der_put_byte(o, sets[i].last);
    ty_der_put(o, id_ml_dsa, sizeof id_ml_dsa);
    ty_der_wrap(o, TY_DER_OID, end);
    ty_der_wrap(o, TY_DER_SEQUENCE, end);
}

/* Moves the bytes written from the end of the buffer to its front; returns their number. */
static size_t to_front(uint8_t *out, const ty_der_out *o, size_t room)
{
    const size_t len = room - (size_t)(o->p - o->start);
    memmove(out, o->p, len);
    return len;
}

size_t ty_mldsa_encode(uint8_t out[TY_AT_LEAST(TY_MLDSA_PLAIN_MAX)], const ty_mldsa_key *key,
                       ty_mldsa_content content)
{
    static const uint8_t version = 0;
    const size_t key_len = ty_mldsa_key_len(key->pub.set);
    ty_der_out o = ty_der_to(out, TY_MLDSA_PLAIN_MAX);
    const uint8_t *const end = o.p;
    /* CHOICE { [0] seed, expandedKey, SEQUENCE { seed, expandedKey } }    [RFC 9881, 6] */
    if (content != TY_MLDSA_SEED) put_element(&o, TY_DER_OCTETS, key->bytes, key_len);
    if (content != TY_MLDSA_EXPANDED)
        put_element(&o, content == TY_MLDSA_SEED ? TY_DER_BARE0 : TY_DER_OCTETS, key->seed,
                    sizeof key->seed);
    if (content == TY_MLDSA_BOTH) ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    ty_der_wrap(&o, TY_DER_OCTETS, end);
    put_mldsa_algorithm(&o, key->pub.set);
    ty_der_put_uint(&o, &version, 1);
    ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    return to_front(out, &o, TY_MLDSA_PLAIN_MAX);
}

size_t ty_mldsa_pub_encode(uint8_t out[TY_AT_LEAST(TY_MLDSA_PLAIN_MAX)], const ty_mldsa_pub *pub)
{
    ty_der_out o = ty_der_to(out, TY_MLDSA_PLAIN_MAX);
    const uint8_t *const end = o.p;
    ty_der_put(&o, pub->bytes, ty_mldsa_pub_len(pub->set));
    ty_der_put_byte(&o, 0);   /* no unused bits */
    ty_der_wrap(&o, TY_DER_BITS, end);
    put_mldsa_algorithm(&o, pub->set);
    ty_der_wrap(&o, TY_DER_SEQUENCE, end);
    return to_front(out, &o, TY_MLDSA_PLAIN_MAX);
}

/* --- reading ---------------------------------------------------------------------------------- */

static ty_err get_mldsa_algorithm(ty_mldsa_set *set, ty_der *in)
{
    ty_der seq = ty_der_enter(in, TY_DER_SEQUENCE);
    const ty_der found = ty_der_enter(&seq, TY_DER_OID);
    if (found.bad || found.len == 0) return TY_ERR_FORMAT;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        uint8_t id[sizeof id_ml_dsa + 1];
        memcpy(id, id_ml_dsa, sizeof id_ml_dsa);
        id[sizeof id_ml_dsa] = sets[i].last;
        if (!ty_der_is(&found, id, sizeof id)) continue;
        *set = sets[i].set;
        return ty_der_done(&seq) ? TY_OK : TY_ERR_FORMAT;   /* parameters have to be absent */
    }
    return TY_ERR_UNSUPPORTED;
}

/* Sets the key from its seed, its expanded form, or both; then the key derived from the seed must
 * equal the expanded one. */
static ty_err set_key(ty_mldsa_key *key, ty_mldsa_set set, const ty_der *seed,
                      const ty_der *expanded)
{
    if (seed->bad || expanded->bad || (seed->len && seed->len != TY_MLDSA_SEED_LEN) ||
        (expanded->len && expanded->len != ty_mldsa_key_len(set)))
        return TY_ERR_FORMAT;
    if (!seed->len)
        return expanded->len ? ty_mldsa_key_set(key, expanded->p, expanded->len) : TY_ERR_FORMAT;
    const ty_err err = ty_mldsa_key_from_seed(key, seed->p, set);
    if (err != TY_OK || !expanded->len) return err;
    int same = ty_equal(key->bytes, expanded->p, expanded->len);
    TY_PUBLIC(&same, sizeof same);   /* true of every key that was not damaged */
    return same ? TY_OK : TY_ERR_KEY;
}

static ty_err get_private(ty_mldsa_key *key, ty_mldsa_file *file, ty_der *seq)
{
    const uint32_t version = ty_der_u32(seq);
    ty_mldsa_set set;
    file->form = TY_KEY_PKCS8;
    file->private_key = 1;
    if (seq->bad || seq->len == 0) return TY_ERR_FORMAT;
    /* RFC 5958 version 2; SEC 1 */
    if (version != 0 || ty_der_tag(seq) != TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;
    const ty_err err = get_mldsa_algorithm(&set, seq);
    if (err != TY_OK) return err;
    ty_der octets = ty_der_enter(seq, TY_DER_OCTETS);
    if (ty_der_tag(seq) == TY_DER_CTX0) return TY_ERR_UNSUPPORTED;   /* attributes */

    ty_der both = { octets.p, 0, 0 }, seed = both, expanded = both;
    const uint8_t choice = ty_der_tag(&octets);
    if (choice == TY_DER_BARE0) {
        file->content = TY_MLDSA_SEED;
        seed = ty_der_enter(&octets, TY_DER_BARE0);
    } else if (choice == TY_DER_OCTETS) {
        file->content = TY_MLDSA_EXPANDED;
        expanded = ty_der_enter(&octets, TY_DER_OCTETS);
    } else {
        file->content = TY_MLDSA_BOTH;
        both = ty_der_enter(&octets, TY_DER_SEQUENCE);
        seed = ty_der_enter(&both, TY_DER_OCTETS);
        expanded = ty_der_enter(&both, TY_DER_OCTETS);
        if (seed.len == 0 || expanded.len == 0) return TY_ERR_FORMAT;
    }
    if (!ty_der_done(&both) || !ty_der_done(&octets) || !ty_der_done(seq)) return TY_ERR_FORMAT;
    return set_key(key, set, &seed, &expanded);
}

static ty_err get_public(ty_mldsa_key *key, ty_mldsa_file *file, ty_der *seq)
{
    ty_der rest = *seq;
    ty_mldsa_set set;
    file->form = TY_KEY_SPKI;
    (void)ty_der_enter(&rest, TY_DER_SEQUENCE);
    /* a certificate or a request */
    if (ty_der_tag(&rest) == TY_DER_SEQUENCE) return TY_ERR_UNSUPPORTED;
    const ty_err err = get_mldsa_algorithm(&set, seq);
    if (err != TY_OK) return err;
    ty_der bits = ty_der_enter(seq, TY_DER_BITS);
    if (!ty_der_done(seq) || bits.len != 1 + ty_mldsa_pub_len(set)) return TY_ERR_FORMAT;
    uint8_t unused = bits.p[0];
    TY_PUBLIC(&unused, 1);   /* of a public key, or noise after a wrong password */
    return unused == 0 ? ty_mldsa_pub_set(&key->pub, bits.p + 1, bits.len - 1) : TY_ERR_FORMAT;
}

static ty_err check_canonical(const ty_mldsa_key *key, const ty_mldsa_file *file,
                              const uint8_t *der, size_t der_len)
{
    uint8_t again[TY_MLDSA_PLAIN_MAX];
    const size_t len = file->private_key ? ty_mldsa_encode(again, key, file->content)
                                         : ty_mldsa_pub_encode(again, &key->pub);
    const ty_err err = ty_der_canonical(again, len, der, der_len);
    ty_wipe(again, sizeof again);
    return err;
}

ty_err ty_mldsa_decode(ty_mldsa_key *key, ty_mldsa_file *file, const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    memset(key, 0, sizeof *key);
    memset(file, 0, sizeof *file);
    ty_err err = TY_ERR_FORMAT;
    if (!ty_der_done(&der)) return err;
    const uint8_t first = ty_der_tag(&seq);
    if (first == TY_DER_INTEGER) err = get_private(key, file, &seq);
    else if (first == TY_DER_SEQUENCE) err = get_public(key, file, &seq);
    if (err == TY_OK) err = check_canonical(key, file, p, len);
    if (err != TY_OK) ty_wipe(key, sizeof *key);
    return err;
}
