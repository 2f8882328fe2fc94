// SM2 against libcrypto: what one side signs or encrypts, the other accepts. libcrypto writes
// signatures and ciphertexts in DER; the few bytes of DER needed are read and written here, by code
// that the library does not share.
#include "support/full.hpp"
#include "sm2/sm2_support.hpp"
#include "tongyu/sm2_many.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <memory>

struct FreePkey { void operator()(EVP_PKEY *p) const { EVP_PKEY_free(p); } };
struct FreeCtx { void operator()(EVP_PKEY_CTX *p) const { EVP_PKEY_CTX_free(p); } };
struct FreeMd { void operator()(EVP_MD_CTX *p) const { EVP_MD_CTX_free(p); } };
using Pkey = std::unique_ptr<EVP_PKEY, FreePkey>;
using Ctx = std::unique_ptr<EVP_PKEY_CTX, FreeCtx>;
using Md = std::unique_ptr<EVP_MD_CTX, FreeMd>;

// --- The part of DER that is needed --------------------------------------------------------------

static Bytes tlv(uint8_t tag, const Bytes &body)
{
    Bytes out = {tag};
    if (body.size() < 128) out.push_back((uint8_t)body.size());
    else if (body.size() < 256) out.insert(out.end(), {0x81, (uint8_t)body.size()});
    else out.insert(out.end(), {0x82, (uint8_t)(body.size() >> 8), (uint8_t)body.size()});
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

static Bytes integer(Bytes x)
{
    while (x.size() > 1 && x[0] == 0) x.erase(x.begin());
    if (x[0] & 0x80) x.insert(x.begin(), 0);
    return tlv(2, x);
}

struct Reader {
    const Bytes &in;
    size_t at = 0;
    Bytes next(uint8_t tag)
    {
        EXPECT_EQ(in.at(at++), tag);
        size_t len = in.at(at++);
        if (len >= 128) {
            size_t n = len & 127;
            for (len = 0; n; n--) len = len << 8 | in.at(at++);
        }
        const Bytes body(in.begin() + (long)at, in.begin() + (long)(at + len));
        at += len;
        return body;
    }
    Bytes number()
    {
        Bytes x = next(2);
        while (x.size() > 32) x.erase(x.begin());
        x.insert(x.begin(), 32 - x.size(), 0);
        return x;
    }
};

static Bytes half(const Bytes &xy, int i)
{
    return Bytes(xy.begin() + 32 * i, xy.begin() + 32 * i + 32);
}

static Bytes signature_to_der(const Bytes &sig)
{
    return tlv(0x30, cat({ integer(half(sig, 0)), integer(half(sig, 1)) }));
}

static Bytes signature_from_der(const Bytes &der)
{
    Reader outer{der};
    const Bytes body = outer.next(0x30);
    Reader r{body};
    const Bytes first = r.number(), second = r.number();
    return cat({first, second});
}

static Bytes ciphertext_to_der(const Bytes &c)   // from C1 C3 C2
{
    const Bytes xy(c.begin() + 1, c.begin() + 65), c3(c.begin() + 65, c.begin() + 97),
        c2(c.begin() + 97, c.end());
    return tlv(0x30, cat({integer(half(xy, 0)), integer(half(xy, 1)), tlv(4, c3), tlv(4, c2)}));
}

static Bytes ciphertext_from_der(const Bytes &der)
{
    Reader outer{der};
    const Bytes body = outer.next(0x30);
    Reader r{body};
    const Bytes x = r.number(), y = r.number(), c3 = r.next(4), c2 = r.next(4);
    return cat({{4}, x, y, c3, c2});
}

// --- libcrypto -----------------------------------------------------------------------------------

static Pkey theirs(const ty_sm2_key &key)
{
    const Bytes pub = pub_bytes(key.pub);
    std::unique_ptr<OSSL_PARAM_BLD, void (*)(OSSL_PARAM_BLD *)> build(OSSL_PARAM_BLD_new(),
                                                                      OSSL_PARAM_BLD_free);
    std::unique_ptr<BIGNUM, void (*)(BIGNUM *)> d(BN_bin2bn(key.d, 32, nullptr), BN_free);
    OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "SM2", 0);
    OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, pub.data(), pub.size());
    OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PRIV_KEY, d.get());
    std::unique_ptr<OSSL_PARAM, void (*)(OSSL_PARAM *)> params(OSSL_PARAM_BLD_to_param(build.get()),
                                                               OSSL_PARAM_free);
    Ctx ctx(EVP_PKEY_CTX_new_from_name(nullptr, "SM2", nullptr));
    EVP_PKEY *p = nullptr;
    EXPECT_EQ(EVP_PKEY_fromdata_init(ctx.get()), 1);
    EXPECT_EQ(EVP_PKEY_fromdata(ctx.get(), &p, EVP_PKEY_KEYPAIR, params.get()), 1);
    return Pkey(p);
}

struct Hashing {   // a digest context for SM2 with SM3 and this identity
    Md md{EVP_MD_CTX_new()};
    Ctx ctx;
    Hashing(EVP_PKEY *key, const Bytes &id) : ctx(EVP_PKEY_CTX_new(key, nullptr))
    {
        EVP_MD_CTX_set_pkey_ctx(md.get(), ctx.get());
        EXPECT_EQ(EVP_PKEY_CTX_set1_id(ctx.get(), id.data(), (int)id.size()), 1);
    }
};

static Bytes their_signature(EVP_PKEY *key, const Bytes &msg, const Bytes &id)
{
    Hashing h(key, id);
    size_t len = 0;
    EXPECT_EQ(EVP_DigestSignInit(h.md.get(), nullptr, EVP_sm3(), nullptr, key), 1);
    EXPECT_EQ(EVP_DigestSign(h.md.get(), nullptr, &len, msg.data(), msg.size()), 1);
    Bytes der(len);
    EXPECT_EQ(EVP_DigestSign(h.md.get(), der.data(), &len, msg.data(), msg.size()), 1);
    der.resize(len);
    return signature_from_der(der);
}

static bool they_accept(EVP_PKEY *key, const Bytes &sig, const Bytes &msg, const Bytes &id)
{
    Hashing h(key, id);
    const Bytes der = signature_to_der(sig);
    EXPECT_EQ(EVP_DigestVerifyInit(h.md.get(), nullptr, EVP_sm3(), nullptr, key), 1);
    return EVP_DigestVerify(h.md.get(), der.data(), der.size(), msg.data(), msg.size()) == 1;
}

static Bytes their_crypt(EVP_PKEY *key, const Bytes &in, bool encrypt)
{
    Ctx ctx(EVP_PKEY_CTX_new(key, nullptr));
    const auto run = encrypt ? EVP_PKEY_encrypt : EVP_PKEY_decrypt;
    size_t len = 0;
    EXPECT_EQ((encrypt ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init)(ctx.get()), 1);
    EXPECT_EQ(run(ctx.get(), nullptr, &len, in.data(), in.size()), 1);
    Bytes out(len);
    EXPECT_EQ(run(ctx.get(), out.data(), &len, in.data(), in.size()), 1);
    out.resize(len);
    return out;
}

static int rounds() { return full() ? 300 : 12; }

// --- The comparison ------------------------------------------------------------------------------

TEST(DiffSm2, Signatures)
{
    each_tier([&] {
        TestRng r(21);
        const ty_rng rng = r.ty();
        for (int i = 0; i < rounds(); i++) {
            ty_sm2_key key;
            ASSERT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);
            const Pkey other = theirs(key);
            const Bytes msg = r.bytes(r.below(150)), id = r.bytes(1 + r.below(40));
            Bytes sig(64);
            ASSERT_EQ(
                ty_sm2_sign(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &key, &rng),
                TY_OK);
            ASSERT_TRUE(they_accept(other.get(), sig, msg, id)) << i;
            sig[63] ^= 1;
            ASSERT_FALSE(they_accept(other.get(), sig, msg, id)) << i;
            sig = their_signature(other.get(), msg, id);
            ASSERT_EQ(
                ty_sm2_verify(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &key.pub),
                TY_OK)
                << i;
            sig[31] ^= 1;
            ASSERT_EQ(
                ty_sm2_verify(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &key.pub),
                TY_ERR_VERIFY);
        }
    });
}

TEST(DiffSm2, Encryption)
{
    each_tier([&] {
        TestRng r(22);
        const ty_rng rng = r.ty();
        for (int i = 0; i < rounds(); i++) {
            ty_sm2_key key;
            ASSERT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);
            const Pkey other = theirs(key);
            // long enough that a key stream of zeros is improbable
            const Bytes msg = r.bytes(8 + r.below(200));
            Bytes sealed(msg.size() + TY_SM2_OVERHEAD), back(msg.size());
            ASSERT_EQ(ty_sm2_encrypt(sealed.data(), msg.data(), msg.size(), TY_SM2_C1C3C2, &key.pub,
                                     &rng),
                      TY_OK);
            ASSERT_EQ(their_crypt(other.get(), ciphertext_to_der(sealed), false), msg) << i;
            sealed = ciphertext_from_der(their_crypt(other.get(), msg, true));
            ASSERT_EQ(sealed.size(), msg.size() + TY_SM2_OVERHEAD);
            ASSERT_EQ(
                ty_sm2_decrypt(back.data(), sealed.data(), sealed.size(), TY_SM2_C1C3C2, &key),
                TY_OK)
                << i;
            ASSERT_EQ(back, msg);
        }
    });
}

// Only the point arithmetic: kG and kP by libcrypto's generic curve code.
TEST(DiffSm2, PublicKeysAndAgreement)
{
    std::unique_ptr<EC_GROUP, void (*)(EC_GROUP *)> group(EC_GROUP_new_by_curve_name(NID_sm2),
                                                          EC_GROUP_free);
    std::unique_ptr<EC_POINT, void (*)(EC_POINT *)> p(EC_POINT_new(group.get()), EC_POINT_free),
        z(EC_POINT_new(group.get()), EC_POINT_free);
    each_tier([&] {
        TestRng r(23);
        const ty_rng rng = r.ty();
        for (int i = 0; i < rounds(); i++) {
            ty_sm2_key a, b;
            ASSERT_EQ(ty_sm2_keygen(&a, &rng), TY_OK);
            ASSERT_EQ(ty_sm2_keygen(&b, &rng), TY_OK);
            std::unique_ptr<BIGNUM, void (*)(BIGNUM *)> d(BN_bin2bn(a.d, 32, nullptr), BN_free);
            Bytes out(65), x(32);
            ASSERT_EQ(EC_POINT_mul(group.get(), z.get(), d.get(), nullptr, nullptr, nullptr), 1);
            ASSERT_EQ(EC_POINT_point2oct(group.get(), z.get(), POINT_CONVERSION_UNCOMPRESSED,
                                         out.data(), 65, nullptr),
                      65u);
            ASSERT_EQ(pub_bytes(a.pub), out);
            const Bytes peer = pub_bytes(b.pub);
            ASSERT_EQ(EC_POINT_oct2point(group.get(), p.get(), peer.data(), 65, nullptr), 1);
            ASSERT_EQ(EC_POINT_mul(group.get(), z.get(), nullptr, p.get(), d.get(), nullptr), 1);
            ASSERT_EQ(EC_POINT_point2oct(group.get(), z.get(), POINT_CONVERSION_UNCOMPRESSED,
                                         out.data(), 65, nullptr),
                      65u);
            ASSERT_EQ(ty_sm2_ecdh(x.data(), &b.pub, &a), TY_OK);
            ASSERT_EQ(x, Bytes(out.begin() + 1, out.begin() + 33));
        }
    });
}

// Nine at once: eight in lanes, and one more. Keys and nonces differ.
TEST(DiffSm2, ManyAtOnce)
{
    enum { N = 9 };
    std::unique_ptr<EC_GROUP, void (*)(EC_GROUP *)> group(EC_GROUP_new_by_curve_name(NID_sm2),
                                                          EC_GROUP_free);
    std::unique_ptr<EC_POINT, void (*)(EC_POINT *)> p(EC_POINT_new(group.get()), EC_POINT_free),
        z(EC_POINT_new(group.get()), EC_POINT_free);
    each_tier([&] {
        TestRng r(24);
        const ty_rng rng = r.ty();
        for (int round = 0; round < (rounds() + N - 1) / N; round++) {
            std::vector<ty_sm2_key> key(N);
            std::vector<ty_sm2_keygen_job> keygen;
            for (ty_sm2_key &k : key) keygen.push_back({&k, TY_ERR_IO});
            ASSERT_EQ(ty_sm2_many_keygen(keygen.data(), N, &rng), TY_OK);
            std::vector<Bytes> msg, sealed(N), theirs_sealed(N), back(N), x(N, Bytes(32));
            std::vector<ty_sm2_ecdh_job> ecdh;
            std::vector<ty_sm2_encrypt_job> encrypt;
            std::vector<ty_sm2_decrypt_job> decrypt;
            for (size_t i = 0; i < N; i++) {
                // long enough that a key stream of zeros is improbable
                msg.push_back(r.bytes(8 + r.below(100)));
                sealed[i].resize(msg[i].size() + TY_SM2_OVERHEAD);
                back[i].resize(msg[i].size());
                theirs_sealed[i] =
                    ciphertext_from_der(their_crypt(theirs(key[i]).get(), msg[i], true));
                encrypt.push_back({sealed[i].data(), msg[i].data(), msg[i].size(), TY_SM2_C1C3C2,
                                   &key[i].pub, TY_ERR_IO});
                decrypt.push_back({back[i].data(), theirs_sealed[i].data(), theirs_sealed[i].size(),
                                   TY_SM2_C1C3C2, &key[i], TY_ERR_IO});
                ecdh.push_back({x[i].data(), &key[(i + 1) % N].pub, &key[i], TY_ERR_IO});
            }
            ASSERT_EQ(ty_sm2_many_encrypt(encrypt.data(), N, &rng), TY_OK);
            ASSERT_EQ(ty_sm2_many_decrypt(decrypt.data(), N), TY_OK);
            ASSERT_EQ(ty_sm2_many_ecdh(ecdh.data(), N), TY_OK);
            for (size_t i = 0; i < N; i++) {
                const Pkey other = theirs(key[i]);
                ASSERT_EQ(their_crypt(other.get(), ciphertext_to_der(sealed[i]), false), msg[i]);
                ASSERT_EQ(back[i], msg[i]) << i;
                std::unique_ptr<BIGNUM, void (*)(BIGNUM *)> d(BN_bin2bn(key[i].d, 32, nullptr),
                                                              BN_free);
                const Bytes peer = pub_bytes(key[(i + 1) % N].pub);
                Bytes out(65);
                ASSERT_EQ(EC_POINT_oct2point(group.get(), p.get(), peer.data(), 65, nullptr), 1);
                ASSERT_EQ(EC_POINT_mul(group.get(), z.get(), nullptr, p.get(), d.get(), nullptr),
                          1);
                ASSERT_EQ(EC_POINT_point2oct(group.get(), z.get(), POINT_CONVERSION_UNCOMPRESSED,
                                             out.data(), 65, nullptr),
                          65u);
                ASSERT_EQ(x[i], Bytes(out.begin() + 1, out.begin() + 33)) << i;
            }
        }
    });
}
