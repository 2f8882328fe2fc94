/* The search for the key in PKCS #12: see key/pkcs12.h. */
#include "key/pkcs12.h"

enum { SET = 0x31 };
/* 1.2.840.113549.1.7.1 */
static const uint8_t data[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01 };
/* 1.2.840.113549.1.12.10.1.2 */
static const uint8_t shrouded[] = {
    0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01, 0x02
};

int ty_pkcs12_seems(const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), seq = ty_der_enter(&der, TY_DER_SEQUENCE);
    return ty_der_u32(&seq) == 3 && ty_der_tag(&seq) == TY_DER_SEQUENCE;
}

/* Reads one element with any tag; the result includes tag and length. */
static ty_der take(ty_der *in)
{
    const uint8_t *const start = in->p;
    (void)ty_der_enter(in, ty_der_tag(in));
    return in->bad ? *in : ty_der_from(start, (size_t)(in->p - start));
}

/* ContentInfo { contentType, [0] content }: a reader of the OCTET STRING's contents if it is data,
 * else an empty bad reader. */
static ty_der content(ty_der *in, int *is_data)
{
    ty_der info = ty_der_enter(in, TY_DER_SEQUENCE);
    const ty_der type = ty_der_enter(&info, TY_DER_OID);
    ty_der inside = ty_der_enter(&info, TY_DER_CTX0), octets = { inside.p, 0, 1 };
    if (!ty_der_done(&info)) in->bad = 1;
    *is_data = !in->bad && ty_der_is(&type, data, sizeof data);
    if (!*is_data) return octets;
    octets = ty_der_enter(&inside, TY_DER_OCTETS);
    if (!ty_der_done(&inside)) in->bad = 1;
    return octets;
}

/* SafeContents, a SEQUENCE of SafeBag { bagId, [0] bagValue, bagAttributes SET OPTIONAL }: counts
 * the shrouded keys in *found; *bag is the last one. */
static ty_err search(ty_der *bag, size_t *found, ty_der *octets)
{
    ty_der bags = ty_der_enter(octets, TY_DER_SEQUENCE);
    while (!bags.bad && bags.len) {
        ty_der safe = ty_der_enter(&bags, TY_DER_SEQUENCE);
        const ty_der id = ty_der_enter(&safe, TY_DER_OID);
        ty_der value = ty_der_enter(&safe, TY_DER_CTX0);
        const ty_der whole = take(&value);
        if (ty_der_tag(&safe) == SET) (void)ty_der_enter(&safe, SET);
        if (whole.bad || !ty_der_done(&value) || !ty_der_done(&safe)) return TY_ERR_FORMAT;
        if (!ty_der_is(&id, shrouded, sizeof shrouded)) continue;
        *bag = whole;
        ++*found;
    }
    return ty_der_done(&bags) && ty_der_done(octets) ? TY_OK : TY_ERR_FORMAT;
}

ty_err ty_pkcs12_find(ty_der *bag, const uint8_t *p, size_t len)
{
    ty_der der = ty_der_from(p, len), pfx = ty_der_enter(&der, TY_DER_SEQUENCE);
    size_t found = 0;
    int is_data;
    (void)ty_der_u32(&pfx);   /* 3 */
    ty_der safe = content(&pfx, &is_data);
    if (!ty_der_done(&der) || pfx.bad) return TY_ERR_FORMAT;
    if (!is_data) return TY_ERR_UNSUPPORTED;   /* protected by a signature instead of a MAC */
    /* the MAC */
    if (ty_der_tag(&pfx) == TY_DER_SEQUENCE) (void)ty_der_enter(&pfx, TY_DER_SEQUENCE);
    ty_der infos = ty_der_enter(&safe, TY_DER_SEQUENCE);
    if (!ty_der_done(&pfx) || !ty_der_done(&safe)) return TY_ERR_FORMAT;
    while (!infos.bad && infos.len) {
        ty_der octets = content(&infos, &is_data);
        const ty_err err = is_data ? search(bag, &found, &octets) : TY_OK;
        if (err != TY_OK) return err;
    }
    if (!ty_der_done(&infos)) return TY_ERR_FORMAT;
    return found == 1 ? TY_OK : TY_ERR_UNSUPPORTED;
}
