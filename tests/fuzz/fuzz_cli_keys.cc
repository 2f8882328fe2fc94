// Raw keys, and the command's descriptions of files that are not keys of this library. A raw key
// that is accepted is read from its DER with the same bytes; digits and base64 are accepted in one
// spelling only; a description is short printable text.
#include "fail.hpp"
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
#include "key_kind.hpp"
#include "raw_key.hpp"
#include "tongyu/key.h"
#include "tongyu/mldsa_key.h"

static const std::string algs[] = {"", "sm2", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"};

static Bytes with_alg(char alg, const Bytes &file)
{
    Bytes out{static_cast<uint8_t>(alg)};
    out.insert(out.end(), file.begin(), file.end());
    return out;
}

static void add_both_spellings(std::vector<Bytes> &seeds, char alg, const Bytes &key)
{
    seeds.push_back(with_alg(alg, key));
    seeds.push_back(with_alg(alg, bytes(to_hex(key.data(), key.size()) + "\n")));
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    ty_sm2_key sm2;
    uint8_t point[65], compressed[33];
    const Bytes d = unhex(fixture::d), seed(32, 7);
    HOLDS(ty_sm2_key_set(&sm2, d.data()) == TY_OK);
    ty_sm2_pub_get(point, &sm2.pub);
    ty_sm2_pub_get_compressed(compressed, &sm2.pub);
    add_both_spellings(s, 0, d);
    add_both_spellings(s, 1, Bytes(point, point + 65));
    add_both_spellings(s, 0, Bytes(point + 1, point + 65));
    add_both_spellings(s, 0, Bytes(compressed, compressed + 33));
    for (char alg : {2, 3, 4}) add_both_spellings(s, alg, seed);
    for (size_t len : {1312u, 2560u}) add_both_spellings(s, 0, Bytes(len, 1));
    s.push_back(with_alg(0, bytes("AAECAwQFBgcICQoLDA0ODw==\r\n")));
    for (const char *pem :
         {fixture::certificate, fixture::request, fixture::p256, fixture::rsa_spki,
          fixture::legacy_des3, fixture::encrypted_des3, fixture::ec_sec1})
        s.push_back(with_alg(0, bytes(pem)));
    s.push_back(with_alg(0, unhex(fixture::pkcs12)));
    return s;
}

static void is_the_same_sm2(const Secret &der, const Secret &raw)
{
    ty_key key;
    uint8_t out[65];
    HOLDS(ty_key_read(&key, der.data(), der.size(), nullptr, 0) == TY_OK);
    HOLDS(key.private_key == (raw.size() == 32));
    if (key.private_key) std::memcpy(out, key.sm2.d, sizeof key.sm2.d);
    else if (raw.size() == 33) ty_sm2_pub_get_compressed(out, &key.pub);
    else ty_sm2_pub_get(out, &key.pub);
    HOLDS(same(out + (raw.size() == 64), raw.size(), raw.data(), raw.size()));
}

static void is_the_same_mldsa(const Secret &der, const Secret &raw, bool seed)
{
    static ty_mldsa_key key, again;
    ty_mldsa_file file;
    HOLDS(ty_mldsa_key_read(&key, &file, der.data(), der.size(), nullptr, 0) == TY_OK);
    if (!file.private_key) {
        HOLDS(same(key.pub.bytes, ty_mldsa_pub_len(key.pub.set), raw.data(), raw.size()));
        return;
    }
    HOLDS(file.content == (seed ? TY_MLDSA_SEED : TY_MLDSA_EXPANDED));
    HOLDS((seed ? ty_mldsa_key_from_seed(&again, raw.data(), key.pub.set)
                : ty_mldsa_key_set(&again, raw.data(), raw.size())) == TY_OK);
    HOLDS(same(&key, sizeof key, &again, sizeof again));
}

static void raw_key(const Secret &file, const std::string &alg)
{
    std::string what;
    Secret der;
    try {
        der = wrap_raw_key(what, file, alg, "file");
    } catch (const Failure &f) {
        HOLDS(f.status == EXIT_INPUT && !f.next.empty());
        return;
    }
    HOLDS(der.empty() == what.empty());
    if (der.empty()) return;
    const Secret raw = decode_digits(Secret(file.data(), file.size()));
    const bool mldsa = raw.size() > 65 || what.compare(0, 4, "seed") == 0;
    if (mldsa) is_the_same_mldsa(der, raw, raw.size() == 32);
    else is_the_same_sm2(der, raw);
}

// Digits or base64, with the line ends that a file may have.
static void spelling(const Secret &file)
{
    const Secret raw = decode_text(Secret(file.data(), file.size()));
    if (raw.size() == file.size()) return;
    const std::string digits = to_hex(raw.data(), raw.size());
    std::string text, lower;
    for (size_t i = 0; i < file.size(); i++) {
        const char c = file.chars()[i];
        if (c == '\n' || c == '\r') continue;
        text += c;
        lower += static_cast<char>(c >= 'A' && c <= 'F' ? c | 32 : c);
    }
    HOLDS(lower == digits || text == to_base64(raw.data(), raw.size()));
}

static void description(const std::string &text)
{
    HOLDS(text.size() <= 80);
    for (const char c : text) HOLDS(c >= 0x20 && c < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const Secret file(data + 1, size - 1);
    raw_key(file, algs[data[0] % (sizeof algs / sizeof algs[0])]);
    spelling(file);
    description(kind_of_key(file));
    description(foreign_encryption(file));
    HOLDS(!is_pkcs12(file) || file.size() > 4);
    is_carrier(file);
    return 0;
}
