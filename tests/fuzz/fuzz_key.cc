// Keys, PEM or DER, of SM2 and on binary curves: a key that is read, written and read again is the
// same; plain DER is written again with the same bytes.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
extern "C" {
#include "key/ec_plain.h"
#include "key/pem.h"
#include "key/plain.h"
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (const char *pem :
         { fixture::ecparam, fixture::pkcs8, fixture::sec1, fixture::sec1_ec,
           fixture::sec1_compressed, fixture::sec1_no_public, fixture::spki,
           fixture::spki_compressed, fixture::p256, fixture::rsa_spki, fixture::ec_sec1,
           fixture::ec_pkcs8, fixture::ec_spki_compressed, fixture::ec_explicit_163 }) {
        uint8_t der[TY_PEM_DER_MAX];
        size_t n = 0;
        ty_key_form form;
        s.push_back(text(pem));
        HOLDS(ty_pem_read(der, &n, &form, (const uint8_t *)pem, std::strlen(pem)) == TY_OK);
        s.push_back(Bytes(der, der + n));
    }
    return s;
}

// Keys on curves by name, also those of other standards, and on sect163k1 with explicit parameters.
static void binary_curve(const uint8_t *data, size_t size, ty_ec_any *room)
{
    ty_ec_key k, again;
    ty_ec_file file, was;
    if (ty_ec_key_read(&k, &file, room, data, size, nullptr, 0) != TY_OK) {
        for (size_t i = 0; i < sizeof k; i++) HOLDS(((const uint8_t *)&k)[i] == 0);
        return;
    }
    uint8_t out[TY_EC_ENCODED_MAX], der[TY_EC_PLAIN_MAX];
    for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
        size_t n = sizeof out;
        HOLDS((file.private_key
                   ? ty_ec_key_write(out, &n, &k, file.form, coding, nullptr, 0, 0, nullptr)
                   : ty_ec_pub_write(out, &n, &k.pub, coding, 0)) == TY_OK);
        HOLDS(ty_ec_key_read(&again, &was, room, out, n, nullptr, 0) == TY_OK);
        HOLDS(same(&again, sizeof again, &k, sizeof k));
    }
    unsigned shape;
    if (file.coding != TY_KEY_DER) return;
    HOLDS(ty_ec_decode(&again, &was, &shape, room, data, size) == TY_OK);
    HOLDS(same(der, ty_ec_encode(der, &again.pub, again.d, was.form, shape), data, size));
}

static ty_ec_any *explicit_curve()
{
    static ty_ec_any room;
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect163k1"));
    p.oid = nullptr;
    HOLDS(ty_ec_any_init(&room, &p, TY_EC_AUTO, 0, nullptr) == TY_OK);
    return &room;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_key k, again;
    static ty_ec_any *const curve = explicit_curve();
    ty_ec_any room = {};
    binary_curve(data, size, &room);
    binary_curve(data, size, curve);
    if (ty_key_read(&k, data, size, nullptr, 0) != TY_OK) {
        for (size_t i = 0; i < sizeof k; i++) HOLDS(((const uint8_t *)&k)[i] == 0);
        return 0;
    }
    for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
        uint8_t out[TY_KEY_ENCODED_MAX];
        size_t n = sizeof out;
        HOLDS(ty_key_write(out, &n, &k, k.form, coding, nullptr, 0, 0, nullptr) == TY_OK);
        HOLDS(ty_key_read(&again, out, n, nullptr, 0) == TY_OK);
        again.coding = k.coding;
        HOLDS(same(&again, sizeof again, &k, sizeof k));
    }
    unsigned shape;
    if (k.coding != TY_KEY_DER) return 0;
    HOLDS(ty_key_decode(&again, &shape, data, size) == TY_OK);
    uint8_t der[TY_KEY_PLAIN_MAX];
    HOLDS(same(der, ty_key_encode(der, &again, again.form, shape), data, size));
    return 0;
}
