// Secrets that key files, modes of SM4, integers and sealed files leave on the stack; and tests of
// the search itself, which finds what is left, and refuses to search for nothing. Other families
// are tested in residue_*.cc.
extern "C" {
#include "kdf/scrypt.h"
}
#include "fault/residue_search.hpp"
#include "key/fixtures.hpp"
#include "support/rng.hpp"
#include "tongyu/box.h"
#include "tongyu/tongyu.h"
#include <gtest/gtest-spi.h>

struct Residue : testing::Test {
    ty_key key{};
    TestRng r{31};
    ty_rng rng = r.ty();
    Bytes d, inv;
    void SetUp() override
    {
        ASSERT_EQ(ty_key_read(&key, fixture::pkcs8, sizeof fixture::pkcs8 - 1, nullptr, 0), TY_OK);
        d.assign(key.sm2.d, key.sm2.d + 32);
        inv.assign(key.sm2.inv1d, key.sm2.inv1d + 32);
    }
};

TEST_F(Residue, TheSearchFinds)
{
    enum { TIMES = 16 };   // a call that writes less is taken for one that does nothing
    const auto careless = [&] {
        volatile uint8_t copy[32 * TIMES];
        for (int i = 0; i < 32 * TIMES; i++) copy[i] = key.sm2.d[i % 32];
        (void)copy[0];
    };
    const auto words = [&] {
        volatile uint64_t copy[4 * TIMES];
        for (int i = 0; i < 4 * TIMES; i++) {
            uint64_t w = 0;
            for (int j = 0; j < 8; j++) w = w << 8 | key.sm2.d[8 * (i % 4) + j];
            copy[i] = w;
        }
        (void)copy[0];
    };
    const auto careful = [&] {
        volatile uint8_t copy[32 * TIMES];
        for (int i = 0; i < 32 * TIMES; i++) copy[i] = key.sm2.d[i % 32];
        ty_wipe((void *)copy, sizeof copy);
    };
    EXPECT_GE(traces(careless, {d}), 4 * TIMES);
    EXPECT_GE(traces(words, {d}), 4 * TIMES);
    EXPECT_EQ(traces(careful, {d}), 0);
}

TEST_F(Residue, TheSearchRefusesToSearchForNothing)
{
    static ty_rng source;   // the statements below can use no local variable
    source = rng;
    static uint8_t seed[32];
    const auto busy = [] {
        ty_sm2_key k;
        EXPECT_EQ(ty_sm2_keygen(&k, &source), TY_OK);
        ty_wipe(&k, sizeof k);
    };
    EXPECT_NONFATAL_FAILURE(traces(busy, {}), "nothing to search for");
    // zeros are found everywhere, and not searched for
    EXPECT_NONFATAL_FAILURE(traces(busy, {Bytes(32)}), "nothing to search for");
    r.fill(seed, sizeof seed);
    EXPECT_NONFATAL_FAILURE(traces([] {}, {Bytes(seed, seed + 32)}), "nothing was written");
}

TEST_F(Residue, Keys)
{
    ty_sm2_key k;
    EXPECT_EQ(traces([&] { MUST_GIVE(ty_sm2_key_set(&k, key.sm2.d), TY_OK); }, {d, inv}), 0);
    ty_key got;
    for (const char *pem :
         { fixture::pkcs8, fixture::sec1, fixture::sec1_no_public, fixture::encrypted,
           fixture::encrypted_sha256, fixture::encrypted_aes256, fixture::encrypted_aes192,
           fixture::encrypted_sha1, fixture::legacy_aes256 }) {
        EXPECT_EQ(
            traces([&] { MUST_GIVE(ty_key_read(&got, pem, std::strlen(pem), "secret", 6), TY_OK); },
                   { d, inv }),
            0)
            << pem;
    }
    std::string broken = fixture::pkcs8;   // an error path: the label is wrong, which is seen last
    broken.replace(broken.find("END PRIV"), 8, "END publ");
    EXPECT_EQ(traces(
                  [&] {
                      MUST_GIVE(ty_key_read(&got, broken.data(), broken.size(), nullptr, 0),
                                TY_ERR_FORMAT);
                  },
                  { d, inv }),
              0);
    uint8_t out[TY_KEY_ENCODED_MAX];
    for (ty_key_form form : { TY_KEY_PKCS8, TY_KEY_SEC1, TY_KEY_PKCS8_PBES2,
                              TY_KEY_PKCS8_PBES2_SHA256, TY_KEY_PKCS8_PBES2_AES256 })
        for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER})
            EXPECT_EQ(traces([&] {
                size_t n = sizeof out;
                MUST_GIVE(ty_key_write(out, &n, &key, form, coding, "secret", 6, 10, &rng), TY_OK);
            }, {d, inv}), 0) << form;
}

TEST_F(Residue, KeysOnBinaryCurves)
{
    for (const char *name : {"sect233r1", "sect163k1"}) {   // the ladder, the tau-adic method
        SCOPED_TRACE(name);
        const ty_ec_curve *curve = ty_ec_curve_named(name);
        ASSERT_NE(curve, nullptr);
        ty_ec_key k, again;
        ASSERT_EQ(ty_ec_keygen(&k, curve, &rng), TY_OK);
        const Bytes scalar(k.d, k.d + ty_ec_order_len(curve));
        uint8_t file[TY_EC_ENCODED_MAX];
        for (ty_key_form form : {TY_KEY_PKCS8, TY_KEY_SEC1, TY_KEY_PKCS8_PBES2})
            for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
                size_t n = sizeof file;
                ty_ec_file was;
                EXPECT_EQ(traces(
                              [&] {
                                  MUST_GIVE(ty_ec_key_write(file, &n, &k, form, coding, "secret", 6,
                                                            10, &rng),
                                            TY_OK);
                              },
                              { scalar }),
                          0)
                    << form;
                EXPECT_EQ(traces(
                              [&] {
                                  MUST_GIVE(
                                      ty_ec_key_read(&again, &was, nullptr, file, n, "secret", 6),
                                      TY_OK);
                              },
                              { scalar }),
                          0)
                    << form;
            }
    }
}

// Factors, exponents and results, in numbers that are long enough for every kernel. The two highest
// limbs of a dividend are not searched for: the compiler spills them where a digit of the quotient
// is estimated.
TEST_F(Residue, Integers)
{
    enum { LEN = 128, FROM = 16, TO = 48 };
    Bytes m = r.bytes(LEN), x, e = r.bytes(LEN), out(LEN);
    m[0] |= 0x80;
    m[LEN - 1] |= 1;
    ty_mp n[4];
    for (ty_mp &v : n) ty_mp_init(&v);
    ASSERT_EQ(ty_mp_set_be(&n[0], m.data(), LEN), TY_OK);
    do {   /* until x has an inverse */
        x = r.bytes(LEN);
        x[0] &= 0x7f;
        ASSERT_EQ(ty_mp_set_be(&n[1], x.data(), LEN), TY_OK);
    } while (ty_mp_invmod(&n[3], &n[1], &n[0]) != TY_OK);
    ASSERT_EQ(ty_mp_set_be(&n[2], e.data(), LEN), TY_OK);
    const auto clean = [&](const char *name, const std::function<ty_err()> &f) {
        SCOPED_TRACE(name);
        EXPECT_EQ(f(), TY_OK);
        EXPECT_EQ(ty_mp_get_be(out.data(), LEN, &n[3]), TY_OK);
        for (const Bytes *secret : {&x, &e, &out})
            EXPECT_EQ(traces([&] { MUST_GIVE(f(), TY_OK); },
                             { Bytes(secret->begin() + FROM, secret->begin() + TO) }),
                      0)
                << (secret == &x   ? "x"
                    : secret == &e ? "e"
                                   : "the result");
    };
    clean("mod", [&] { return ty_mp_mod(&n[3], &n[1], &n[0]); });
    clean("powm", [&] { return ty_mp_powm(&n[3], &n[1], &n[2], &n[0]); });
    for (size_t count : {2, 8})   // in pairs and in lanes, where the CPU has them
        clean("powers side by side", [&] {
            ty_mp z[8];
            std::vector<ty_mp_powm_job> jobs;
            for (size_t i = 0; i < count; i++) {
                ty_mp_init(&z[i]);
                jobs.push_back({ i ? &z[i] : &n[3], &n[1], &n[2], &n[0], TY_OK });
            }
            const ty_err err = ty_mp_many_powm(jobs.data(), count);
            for (size_t i = 0; i < count; i++) ty_mp_clear(&z[i]);
            return err;
        });
    clean("mulmod", [&] { return ty_mp_mulmod(&n[3], &n[1], &n[2], &n[0]); });
    clean("invmod", [&] { return ty_mp_invmod(&n[3], &n[1], &n[0]); });
    int prime;
    EXPECT_EQ(traces([&] { MUST_GIVE(ty_mp_miller_rabin(&prime, &n[0], 1, &rng), TY_OK); },
                     { Bytes(m.begin() + FROM, m.begin() + TO) }),
              0)
        << "candidate";
    for (ty_mp &v : n) ty_mp_clear(&v);
}

// A prime, and its residues modulo small primes, which are as secret: those of the prime, and those
// of slightly larger numbers, which the sieve may have reached.
TEST_F(Residue, Primes)
{
    enum { BITS = 256, SMALL = 96, STEPS = 600 };
    ty_mp z;
    ty_mp_init(&z);
    const auto search = [&] {
        TestRng same{78};
        const ty_rng source = same.ty();
        MUST_GIVE(ty_mp_prime(&z, BITS, 0, &source), TY_OK);
    };
    search();
    Bytes value(BITS / 8);
    ASSERT_EQ(ty_mp_get_be(value.data(), value.size(), &z), TY_OK);
    std::vector<unsigned> small;
    for (unsigned p = 2; small.size() < SMALL; p++)
        if (std::none_of(small.begin(), small.end(), [p](unsigned q) { return p % q == 0; }))
            small.push_back(p);
    Secrets s{ Bytes(value.begin() + 16, value.end()) };   // not the two highest limbs
    for (unsigned step = 0; step < STEPS; step++)
        for (const size_t first : {0, 1}) {   // the table begins with 2 or with 3
            std::vector<uint16_t> left;
            for (size_t i = first; i < SMALL; i++) {
                unsigned rest = 0;
                for (const uint8_t b : value) rest = (rest << 8 | b) % small[i];
                left.push_back((uint16_t)((rest + 2 * step) % small[i]));
            }
            s.add("residues " + std::to_string(step), left.data() + 15, 64, 32);
        }
    EXPECT_EQ(traces(search, s), 0);
    ty_mp_clear(&z);
}

TEST_F(Residue, SealedFiles)
{
    ty_box b;
    Bytes header(TY_BOX_HEADER_MAX), pw = r.bytes(40), file_key(32), plain = r.bytes(1000),
                                     out(1016), back(1000);
    size_t n = header.size();
    const auto payload_key = [&] { return Bytes(b.key, b.key + 16); };
    ASSERT_EQ(ty_box_seal_password(&b, header.data(), &n, pw.data(), pw.size(), 3, &rng), TY_OK);
    ASSERT_EQ(ty_pbkdf2_sm3(file_key.data(), 32, pw.data(), pw.size(), header.data() + 14, 16, 3),
              TY_OK);
    const Bytes key16 = payload_key();
    EXPECT_EQ(traces(
                  [&] {
                      MUST_GIVE(ty_box_open_password(&b, header.data(), n, pw.data(), pw.size(), 3),
                                TY_OK);
                  },
                  { pw, file_key, key16 }),
              0);
    const auto seal_password = [&] {
        TestRng same{78};
        const ty_rng source = same.ty();
        n = header.size();
        MUST_GIVE(ty_box_seal_password(&b, header.data(), &n, pw.data(), pw.size(), 3, &source),
                  TY_OK);
    };
    seal_password();
    const Bytes key2 = payload_key();
    ASSERT_EQ(ty_pbkdf2_sm3(file_key.data(), 32, pw.data(), pw.size(), header.data() + 14, 16, 3),
              TY_OK);
    EXPECT_EQ(traces(seal_password, {pw, file_key, key2}), 0);
    EXPECT_EQ(
        traces(
            [&] { MUST_GIVE(ty_box_seal(&b, out.data(), plain.data(), plain.size(), 1), TY_OK); },
            { key2, plain }),
        0);
    const ty_box_costs costs = { 4, 1, 1 };
    std::vector<uint64_t> memory(ty_box_scrypt_memory(costs) / 8 + 1);
    const auto seal_scrypt = [&] {
        TestRng same{79};
        const ty_rng source = same.ty();
        n = header.size();
        MUST_GIVE(ty_box_seal_scrypt(&b, header.data(), &n, pw.data(), pw.size(), costs,
                                     memory.data(), 8 * memory.size(), &source),
                  TY_OK);
    };
    seal_scrypt();
    const Bytes key_scrypt = payload_key();
    ASSERT_EQ(ty_scrypt(file_key.data(), 32, pw.data(), pw.size(), header.data() + 14, 16, 16, 1, 1,
                        memory.data()),
              TY_OK);
    EXPECT_EQ(traces(seal_scrypt, {pw, file_key, key_scrypt}), 0);
    EXPECT_EQ(traces(
                  [&] {
                      MUST_GIVE(ty_box_open_scrypt(&b, header.data(), n, pw.data(), pw.size(),
                                                   memory.data(), 8 * memory.size()),
                                TY_OK);
                  },
                  { pw, file_key, key_scrypt }),
              0);
    const auto seal_pub = [&] {
        TestRng same{77};
        const ty_rng source = same.ty();
        n = header.size();
        EXPECT_EQ(ty_box_seal_pub(&b, header.data(), &n, &key.pub, 1, &source), TY_OK);
    };
    seal_pub();
    const Bytes key3 = payload_key();
    ASSERT_EQ(ty_sm2_decrypt(file_key.data(), header.data() + 18, 129, TY_SM2_C1C3C2, &key.sm2),
              TY_OK);
    EXPECT_EQ(traces(seal_pub, {file_key, key3}), 0);
    EXPECT_EQ(traces([&] { MUST_GIVE(ty_box_open_key(&b, header.data(), n, &key.sm2), TY_OK); },
                     { d, inv, file_key, key3 }),
              0);
}

TEST_F(Residue, Modes)
{
    Bytes k = r.bytes(32), tweak = r.bytes(16), plain = r.bytes(600), cipher(600), out(608);
    ty_sm4_xts_key xts;
    ty_sm4_hctr_key hctr;
    ty_sm4_key kek;
    EXPECT_EQ(traces([&] { MUST_GIVE(ty_sm4_xts_init(&xts, k.data()), TY_OK); }, {k}), 0);
    EXPECT_EQ(traces([&] { ty_sm4_hctr_init(&hctr, k.data()); }, {k}), 0);
    ty_sm4_init(&kek, k.data());
    for (const size_t len : {31, 600}) {
        const Bytes ends[] = { Bytes(plain.begin(), plain.begin() + 16),
                               Bytes(plain.begin() + (long)len - 24, plain.begin() + (long)len) };
        EXPECT_EQ(ty_sm4_xts_gb_encrypt(cipher.data(), plain.data(), len, tweak.data(), &xts),
                  TY_OK);
        Bytes mask(16);                     // the encrypted tweak
        EXPECT_EQ(ty_sm4_ecb_encrypt(mask.data(), tweak.data(), 16, &xts.tweak), TY_OK);
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_sm4_xts_gb_decrypt(out.data(), cipher.data(), len,
                                                          tweak.data(), &xts),
                                    TY_OK);
                      },
                      { ends[0], ends[1], mask }),
                  0)
            << len;
        EXPECT_EQ(ty_sm4_hctr_encrypt(cipher.data(), plain.data(), len, tweak.data(), &hctr),
                  TY_OK);
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_sm4_hctr_decrypt(out.data(), cipher.data(), len,
                                                        tweak.data(), &hctr),
                                    TY_OK);
                      },
                      { ends[0], ends[1] }),
                  0)
            << len;
        ty_sm4_cfb8_encrypt(cipher.data(), plain.data(), len, tweak.data(), &kek);
        EXPECT_EQ(
            traces([&] { ty_sm4_cfb8_decrypt(out.data(), cipher.data(), len, tweak.data(), &kek); },
                   { ends[0], ends[1] }),
            0)
            << len;
    }
    // the key of GHASH, E(0): kernels that fill the last group with zeros compute it
    Bytes h(16);
    ASSERT_EQ(ty_sm4_ecb_encrypt(h.data(), h.data(), 16, &kek), TY_OK);
    for (const size_t blocks : {3, 5, 9, 17, 33}) {
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_sm4_ecb_encrypt(out.data(), plain.data(), 16 * blocks, &kek),
                                    TY_OK);
                      },
                      { h }),
                  0)
            << blocks;
        EXPECT_EQ(
            traces([&] { ty_sm4_ctr(out.data(), plain.data(), 16 * blocks, tweak.data(), &kek); },
                   { h }),
            0)
            << blocks;
    }
    EXPECT_EQ(ty_sm4_kw_wrap(cipher.data(), plain.data(), 32, &kek), TY_OK);
    EXPECT_EQ(
        traces([&] { MUST_GIVE(ty_sm4_kw_unwrap(out.data(), cipher.data(), 40, &kek), TY_OK); },
               { Bytes(plain.begin(), plain.begin() + 32) }),
        0);
}

// Nothing may remain of the message, of the correct tag of a forged one, or of keys derived for a
// nonce. Only the first two blocks of the message are searched for: the compiler spills the last
// one in a kernel.
TEST_F(Residue, AeadsAndMacs)
{
    const Bytes k = r.bytes(16), nonce = r.bytes(12), aad = r.bytes(30);
    ty_sm4_key key;
    ty_sm4_gcm_key gcm;
    ty_sm4_ocb_key ocb;
    ty_sm4_cmac_key cmac;
    EXPECT_EQ(traces([&] {
        ty_sm4_gcm_init(&gcm, k.data());
        ty_sm4_ocb_init(&ocb, k.data());
        ty_sm4_cmac_init(&cmac, k.data());
        ty_sm4_init(&key, k.data());
    }, {k}), 0);
    Bytes derived(64);                                     // RFC 8452, 4: half of each block is key
    for (size_t i = 0; i < 4; i++) {
        derived[16 * i] = (uint8_t)i;
        std::copy(nonce.begin(), nonce.end(), derived.begin() + (long)(16 * i + 4));
    }
    ASSERT_EQ(ty_sm4_ecb_encrypt(derived.data(), derived.data(), 64, &key), TY_OK);
    Bytes masks(std::begin(ocb.rest), std::end(ocb.rest));   // OCB's doublings of E(0)
    for (const auto &mask : ocb.mask) masks.insert(masks.end(), std::begin(mask), std::end(mask));
    for (const size_t len : {64, 1024, 2000}) {
        SCOPED_TRACE(len);
        const Bytes text = r.bytes(len);
        Bytes out(len), tag(16), back(len);
        using Call = std::function<ty_err()>;
        const Bytes some(text.begin(), text.begin() + 32);
        const auto clean = [&](const char *name, const Call &seal, const Call &open,
                               const Bytes &secret) {
            SCOPED_TRACE(name);
            Secrets secrets{some};
            if (!secret.empty()) secrets.add("derived keys", secret);
            EXPECT_EQ(traces([&] { MUST_GIVE(seal(), TY_OK); }, secrets), 0);
            EXPECT_EQ(traces([&] { MUST_GIVE(open(), TY_OK); }, secrets), 0);
            secrets.add("the correct tag", tag);
            // both halves of the forged tag differ from the correct one
            tag[3] ^= 1;
            tag[12] ^= 1;
            EXPECT_EQ(traces([&] { MUST_GIVE(open(), TY_ERR_VERIFY); }, secrets), 0);
        };
        const auto o = [&] { return out.data(); };
        clean(
            "gcm",
            [&] {
                return ty_sm4_gcm_seal(o(), &tag[0], 16, &text[0], len, &aad[0], 30, &nonce[0], 12,
                                       &gcm);
            },
            [&] {
                return ty_sm4_gcm_open(&back[0], o(), len, &tag[0], 16, &aad[0], 30, &nonce[0], 12,
                                       &gcm);
            },
            {});
        clean(
            "ccm",
            [&] {
                return ty_sm4_ccm_seal(o(), &tag[0], 16, &text[0], len, &aad[0], 30, &nonce[0], 12,
                                       &key);
            },
            [&] {
                return ty_sm4_ccm_open(&back[0], o(), len, &tag[0], 16, &aad[0], 30, &nonce[0], 12,
                                       &key);
            },
            {});
        clean(
            "ocb",
            [&] {
                return ty_sm4_ocb_seal(o(), &tag[0], 16, &text[0], len, &aad[0], 30, &nonce[0], 12,
                                       &ocb);
            },
            [&] {
                return ty_sm4_ocb_open(&back[0], o(), len, &tag[0], 16, &aad[0], 30, &nonce[0], 12,
                                       &ocb);
            },
            masks);
        clean(
            "gcm_siv",
            [&] {
                return ty_sm4_gcm_siv_seal(o(), &tag[0], &text[0], len, &aad[0], 30, &nonce[0],
                                           &key);
            },
            [&] {
                return ty_sm4_gcm_siv_open(&back[0], o(), len, &tag[0], &aad[0], 30, &nonce[0],
                                           &key);
            },
            derived);
        clean("cmac", [&] { return ty_sm4_cmac_mac(&tag[0], 16, &text[0], len, &cmac); },
              [&] { return ty_sm4_cmac_check(&tag[0], 16, &text[0], len, &cmac); }, {});
        clean(
            "cbc_mac",
            [&] { return ty_sm4_cbc_mac_mac(&tag[0], 16, &text[0], len, TY_SM4_MAC_ONE, &key); },
            [&] { return ty_sm4_cbc_mac_check(&tag[0], 16, &text[0], len, TY_SM4_MAC_ONE, &key); },
            {});
        clean(
            "gmac",
            [&] { return ty_sm4_gmac_mac(&tag[0], 16, &text[0], len, &nonce[0], 12, &gcm); },
            [&] { return ty_sm4_gmac_check(&tag[0], 16, &text[0], len, &nonce[0], 12, &gcm); }, {});
    }
}

#include "fault/residue_many_cases.inc"
