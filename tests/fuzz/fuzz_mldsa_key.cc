// ML-DSA keys, PEM or DER: what is read, written and read again is the same key; plain DER comes out bit by bit.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
extern "C" {
#include "key/mldsa_plain.h"
}

static ty_mldsa_key key, again;
static ty_mldsa_file file, file_again;
static uint8_t out[TY_MLDSA_ENCODED_MAX];

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s = { text(fixture::pkcs8), text(fixture::spki) };
    const uint8_t seed[32] = { 1, 2, 3 };
    HOLDS(ty_mldsa_key_from_seed(&key, seed, TY_MLDSA_44) == TY_OK);
    for (ty_key_coding coding : {TY_KEY_DER, TY_KEY_PEM}) {
        size_t n = sizeof out;
        for (ty_mldsa_content content : {TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH}) {
            n = sizeof out;
            HOLDS(ty_mldsa_key_write(out, &n, &key, content, TY_KEY_PKCS8, coding, nullptr, 0, 0, nullptr) == TY_OK);
            s.push_back(Bytes(out, out + n));
        }
        n = sizeof out;
        HOLDS(ty_mldsa_pub_write(out, &n, &key.pub, coding) == TY_OK);
        s.push_back(Bytes(out, out + n));
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (ty_mldsa_key_read(&key, &file, data, size, nullptr, 0) != TY_OK) {
        for (size_t i = 0; i < sizeof key; i++) HOLDS(((const uint8_t *)&key)[i] == 0);
        return 0;
    }
    for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
        size_t n = sizeof out;
        if (file.private_key)
            HOLDS(ty_mldsa_key_write(out, &n, &key, file.content, TY_KEY_PKCS8, coding, nullptr, 0, 0, nullptr) == TY_OK);
        else
            HOLDS(ty_mldsa_pub_write(out, &n, &key.pub, coding) == TY_OK);
        if (coding == TY_KEY_DER && file.coding == TY_KEY_DER) HOLDS(same(out, n, data, size));
        HOLDS(ty_mldsa_key_read(&again, &file_again, out, n, nullptr, 0) == TY_OK);
        HOLDS(same(&again, sizeof again, &key, sizeof key));
        HOLDS(file_again.content == file.content && file_again.private_key == file.private_key);
    }
    return 0;
}
