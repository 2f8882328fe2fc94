// ML-DSA keys, PEM or DER: what is read, written and read again is the same key, and unencrypted
// DER is written as it was read. Most inputs are refused by the parser, so each one also selects
// changes inside a well-formed key.
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
            HOLDS(ty_mldsa_key_write(out, &n, &key, content, TY_KEY_PKCS8, coding, nullptr, 0, 0,
                                     nullptr) == TY_OK);
            s.push_back(Bytes(out, out + n));
        }
        n = sizeof out;
        HOLDS(ty_mldsa_pub_write(out, &n, &key.pub, coding) == TY_OK);
        s.push_back(Bytes(out, out + n));
    }
    return s;
}

static uint64_t hash_of(const uint8_t *data, size_t size)   // FNV-1a
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 0x100000001b3;
    return h ^ h >> 29;
}

static void read_and_write(const uint8_t *data, size_t size);

// Changes one to three bytes of the expanded key or of the seed. The DER in front of them, at most
// 70 bytes with a seed, is left unchanged.
static void change_inside(const uint8_t *data, size_t size)
{
    static const std::vector<Bytes> keys = [] {
        std::vector<Bytes> all;
        for (ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87})
            for (ty_mldsa_content content : {TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH}) {
                const uint8_t seed[32] = { 4, 5, 6 };
                size_t n = sizeof out;
                HOLDS(ty_mldsa_key_from_seed(&key, seed, set) == TY_OK);
                HOLDS(ty_mldsa_key_write(out, &n, &key, content, TY_KEY_PKCS8, TY_KEY_DER, nullptr,
                                         0, 0, nullptr) == TY_OK);
                all.emplace_back(out, out + n);
            }
        return all;
    }();
    TestRng rng(hash_of(data, size));
    Bytes changed = keys[rng.below((uint32_t)keys.size())];
    const size_t body = changed.size() > 100 ? changed.size() - 70 : 32;
    for (uint32_t n = 1 + rng.below(3); n; n--)
        changed[changed.size() - 1 - rng.below((uint32_t)body)] ^= (uint8_t)(1 + rng.below(255));
    const ty_err err = ty_mldsa_key_read(&key, &file, changed.data(), changed.size(), nullptr, 0);
    // it is a key or a damaged one; its encoding is never wrong
    HOLDS(err == TY_OK || err == TY_ERR_KEY);
    read_and_write(changed.data(), changed.size());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_and_write(data, size);
    change_inside(data, size);
    return 0;
}

static void read_and_write(const uint8_t *data, size_t size)
{
    if (ty_mldsa_key_read(&key, &file, data, size, nullptr, 0) != TY_OK) {
        for (size_t i = 0; i < sizeof key; i++) HOLDS(((const uint8_t *)&key)[i] == 0);
        return;
    }
    for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
        size_t n = sizeof out;
        if (file.private_key)
            HOLDS(ty_mldsa_key_write(out, &n, &key, file.content, TY_KEY_PKCS8, coding, nullptr, 0,
                                     0, nullptr) == TY_OK);
        else
            HOLDS(ty_mldsa_pub_write(out, &n, &key.pub, coding) == TY_OK);
        if (coding == TY_KEY_DER && file.coding == TY_KEY_DER) HOLDS(same(out, n, data, size));
        HOLDS(ty_mldsa_key_read(&again, &file_again, out, n, nullptr, 0) == TY_OK);
        HOLDS(same(&again, sizeof again, &key, sizeof key));
        HOLDS(file_again.content == file.content && file_again.private_key == file.private_key);
    }
}
