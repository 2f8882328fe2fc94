#include "speed_ops.hpp"
#include "fail.hpp"
#include "tongyu/os.h"

/* Called in every round that is timed: check, which constructs its strings even without an error,
 * would take as long as a short product. */
static void must(ty_err err)
{
    if (err != TY_OK) check(err, "speed: an operation failed");
}

Bench::Bench()
{
    ty_sm4_init(&sm4, bytes);
    ty_sm4_gcm_init(&gcm, bytes);
    ty_sm4_ocb_init(&ocb, bytes);
    ty_sm4_hctr_init(&hctr, bytes);
    ty_sm4_cmac_init(&cmac, bytes);
    must(ty_sm4_xts_init(&xts, bytes));
}

void Bench::add_sm3(std::vector<Op> &ops)
{
    for (const size_t n : {size_t(64), size_t(1024), size_t(16384)})
        ops.push_back({"sm3", "hash", n, [this, n] { ty_sm3_hash(digest, in.data(), n); }});
    for (size_t i = 0; i < messages; i++) hashes[i] = {digests[i], in.data() + 1024 * i, 1024};
    ops.push_back(
        { "sm3", "32 hash", 1024 * messages, [this] { ty_sm3_many_hash(hashes, messages); } });
    ops.push_back(
        { "sm3", "hmac", 1024, [this] { ty_hmac_sm3_mac(digest, in.data(), 1024, bytes, 16); } });
}

void Bench::add_modes(std::vector<Op> &ops, size_t n)
{
    uint8_t *const to = out.data();
    const uint8_t *const from = in.data();
    const auto add = [&ops, n](const char *name, Call f) {
        ops.push_back({ "sm4", name, n, std::move(f) });
    };
    add("ecb", [=] { must(ty_sm4_ecb_encrypt(to, from, n, &sm4)); });
    add("cbc-encrypt", [=] { must(ty_sm4_cbc_encrypt(to, from, n, iv, &sm4)); });
    add("cbc-decrypt", [=] { must(ty_sm4_cbc_decrypt(to, from, n, iv, &sm4)); });
    add("cfb-encrypt", [=] { ty_sm4_cfb_encrypt(to, from, n, iv, &sm4); });
    add("cfb-decrypt", [=] { ty_sm4_cfb_decrypt(to, from, n, iv, &sm4); });
    add("ofb", [=] { ty_sm4_ofb(to, from, n, iv, &sm4); });
    add("ctr", [=] { ty_sm4_ctr(to, from, n, iv, &sm4); });
    add("xts-ieee", [=] { must(ty_sm4_xts_ieee_encrypt(to, from, n, iv, &xts)); });
    add("xts-gb", [=] { must(ty_sm4_xts_gb_encrypt(to, from, n, iv, &xts)); });
    add("hctr", [=] { must(ty_sm4_hctr_encrypt(to, from, n, iv, &hctr)); });
}

void Bench::add_authenticated(std::vector<Op> &ops, size_t n)
{
    uint8_t *const to = out.data();
    const uint8_t *const from = in.data();
    const auto add = [&ops, n](const char *name, Call f) {
        ops.push_back({ "sm4", name, n, std::move(f) });
    };
    add("gcm-seal", [=] { must(ty_sm4_gcm_seal(to, tag, 16, from, n, nullptr, 0, iv, 12, &gcm)); });
    add("ccm-seal", [=] { must(ty_sm4_ccm_seal(to, tag, 16, from, n, nullptr, 0, iv, 12, &sm4)); });
    add("ocb-seal", [=] { must(ty_sm4_ocb_seal(to, tag, 16, from, n, nullptr, 0, iv, 12, &ocb)); });
    add("gcm-siv-seal", [=] { must(ty_sm4_gcm_siv_seal(to, tag, from, n, nullptr, 0, iv, &sm4)); });
    add("cmac", [=] { must(ty_sm4_cmac_mac(tag, 16, from, n, &cmac)); });
    add("gmac", [=] { must(ty_sm4_gmac_mac(tag, 16, from, n, iv, 12, &gcm)); });
}

/* Modes that process one block after the other in every tier, or set up a key for every block: one
 * size is enough to see what they cost. */
void Bench::add_slow_modes(std::vector<Op> &ops, size_t n)
{
    uint8_t *const to = out.data();
    const uint8_t *const from = in.data();
    const auto add = [&ops, n](const char *name, Call f) {
        ops.push_back({ "sm4", name, n, std::move(f) });
    };
    add("bc-encrypt", [=] { must(ty_sm4_bc_encrypt(to, from, n, iv, &sm4)); });
    add("ofbnlf-encrypt", [=] { must(ty_sm4_ofbnlf_encrypt(to, from, n, iv, &sm4)); });
    add("cfb8-encrypt", [=] { ty_sm4_cfb8_encrypt(to, from, n, iv, &sm4); });
    add("cfb1-encrypt", [=] { ty_sm4_cfb1_encrypt(to, from, 8 * n, iv, &sm4); });
    ops.push_back({"sm4", "kw-wrap", 32, [=] { must(ty_sm4_kw_wrap(to, from, 32, &sm4)); }});
}

/* 32 messages under 32 keys, as on a server; the size counts all of them. */
void Bench::add_many(std::vector<Op> &ops, size_t n)
{
    for (size_t i = 0; i < messages; i++) {
        uint8_t own[16] = {static_cast<uint8_t>(i)};
        ty_sm4_init(&keys[i], own);
        ty_sm4_gcm_init(&gcm_keys[i], own);
        uint8_t *const to = out.data() + n * i;
        const uint8_t *const from = in.data() + n * i;
        jobs[i] = {to, from, n, iv, &keys[i], TY_OK};
        gcm_jobs[i] = {to, tags[i], 16, from, n, nullptr, 0, iv, 12, &gcm_keys[i], TY_OK};
    }
    const auto add = [&ops, n](const char *name, Call f) {
        ops.push_back({ "sm4", name, messages * n, std::move(f) });
    };
    add("32 cbc-encrypt", [this] { must(ty_sm4_many_cbc_encrypt(jobs, messages)); });
    add("32 ecb-encrypt", [this] { must(ty_sm4_many_ecb_encrypt(jobs, messages)); });
    add("32 ctr", [this] { must(ty_sm4_many_ctr(jobs, messages)); });
    add("32 gcm-seal", [this] { must(ty_sm4_many_gcm_seal(gcm_jobs, messages)); });
}

void Bench::add_sm4(std::vector<Op> &ops)
{
    for (const size_t n : {size_t(1024), size_t(65536)}) {
        add_modes(ops, n);
        add_authenticated(ops, n);
    }
    add_slow_modes(ops, 1024);
    add_many(ops, 256);
}

void Bench::add_sm2(std::vector<Op> &ops)
{
    const ty_rng *rng = ty_rng_system();
    must(ty_sm2_keygen(&key, rng));
    must(ty_sm2_sign_digest(sig, in.data(), &key, rng));
    must(ty_sm2_encrypt(ct, in.data(), 32, TY_SM2_C1C3C2, &key.pub, rng));
    const auto add = [&ops](const char *name, Call f) {
        ops.push_back({ "sm2", name, 0, std::move(f) });
    };
    add("keygen", [rng] { Wiped<ty_sm2_key> k; must(ty_sm2_keygen(&k, rng)); });
    add("sign", [this, rng] { must(ty_sm2_sign_digest(sig, in.data(), &key, rng)); });
    add("verify", [this] { must(ty_sm2_verify_digest(sig, in.data(), &key.pub)); });
    add("encrypt", [this, rng] {
        must(ty_sm2_encrypt(out.data(), in.data(), 32, TY_SM2_C1C3C2, &key.pub, rng));
    });
    add("decrypt",
        [this] { must(ty_sm2_decrypt(out.data(), ct, sizeof ct, TY_SM2_C1C3C2, &key)); });
    add("derive", [this] { must(ty_sm2_ecdh(digest, &key.pub, &key)); });
    must(ty_sm2_verifier_init(&verifier, &key.pub, nullptr, 0));
    add("verify-ready", [this] { must(ty_sm2_verifier_verify_digest(sig, in.data(), &verifier)); });
    for (size_t i = 0; i < messages; i++) {
        signs[i] = {sigs[i], in.data(), nullptr, 0, nullptr, 0, &key, TY_OK};
        verifies[i] = {sigs[i], in.data(), nullptr, 0, nullptr, 0, &key.pub, TY_OK};
        keygens[i] = {&made[i], TY_OK};
        ecdhs[i] = {digests[i], &key.pub, &key, TY_OK};
        encryptions[i] = {sealed[i], in.data(), 32, TY_SM2_C1C3C2, &key.pub, TY_OK};
        decryptions[i] = {digests[i], sealed[i], sizeof sealed[i], TY_SM2_C1C3C2, &key, TY_OK};
    }
    must(ty_sm2_many_sign(signs, messages, rng));
    must(ty_sm2_many_encrypt(encryptions, messages, rng));
    add("32 keygen", [this, rng] { must(ty_sm2_many_keygen(keygens, messages, rng)); });
    add("32 sign", [this, rng] { must(ty_sm2_many_sign(signs, messages, rng)); });
    add("32 verify", [this] { must(ty_sm2_many_verify(verifies, messages)); });
    add("32 derive", [this] { must(ty_sm2_many_ecdh(ecdhs, messages)); });
    add("32 encrypt",
        [this, rng] { must(ty_sm2_many_encrypt(encryptions, messages, rng)); });
    add("32 decrypt", [this] { must(ty_sm2_many_decrypt(decryptions, messages)); });
}

struct Bench::Lattice {
    Wiped<ty_mldsa_key> key;
    Wiped<ty_mldsa_signer> signer;
    ty_mldsa_verifier verifier;
    uint8_t sig[TY_MLDSA_SIG_MAX], mu[TY_MLDSA_MU_LEN] = {3};
    size_t len = 0;
};

/* Signing is hedged, so the number of attempts is random: the median shows what to expect. */
void Bench::add_mldsa(std::vector<Op> &ops)
{
    static const struct {
        ty_mldsa_set set;
        const char *keygen, *sign, *verify, *ready_sign, *ready_verify;
    } rows[] = {
        {TY_MLDSA_44, "44-keygen", "44-sign", "44-verify", "44-sign-ready", "44-vrfy-ready"},
        {TY_MLDSA_65, "65-keygen", "65-sign", "65-verify", "65-sign-ready", "65-vrfy-ready"},
        {TY_MLDSA_87, "87-keygen", "87-sign", "87-verify", "87-sign-ready", "87-vrfy-ready"},
    };
    const ty_rng *rng = ty_rng_system();
    for (const auto &row : rows) {
        const auto l = std::make_shared<Lattice>();
        lattices.push_back(l);
        Lattice *const p = l.get();
        p->len = ty_mldsa_sig_len(row.set);
        must(ty_mldsa_keygen(&p->key, row.set, rng));
        must(ty_mldsa_signer_init(&p->signer, &p->key));
        must(ty_mldsa_verifier_init(&p->verifier, &p->key.pub));
        must(ty_mldsa_sign_mu(p->sig, p->len, p->mu, &p->key, rng));
        const auto valid = std::make_shared<std::vector<uint8_t>>(p->sig, p->sig + p->len);
        const auto add = [&ops](const char *name, Call f) {
            ops.push_back({ "mldsa", name, 0, std::move(f) });
        };
        add(row.keygen, [p, rng] { must(ty_mldsa_keygen(&p->key, p->key.pub.set, rng)); });
        add(row.sign, [p, rng] { must(ty_mldsa_sign_mu(p->sig, p->len, p->mu, &p->key, rng)); });
        add(row.ready_sign,
            [p, rng] { must(ty_mldsa_signer_sign_mu(p->sig, p->len, p->mu, &p->signer, rng)); });
        add(row.ready_verify, [p, valid] {
            must(ty_mldsa_verifier_verify_mu(valid->data(), p->len, p->mu, &p->verifier));
        });
        add(row.verify, [p, valid] {
            must(ty_mldsa_verify_mu(valid->data(), p->len, p->mu, &p->verifier.pub));
        });
    }
}

/* A key on a curve, and a signature with it. */
struct Curve {
    Wiped<ty_ec_key> key;
    uint8_t sig[2 * TY_EC_MAX], digest[32] = {4}, shared[TY_EC_MAX];
    size_t sig_len;

    explicit Curve(const char *name)
    {
        const ty_ec_curve *c = ty_ec_curve_named(name);
        sig_len = 2 * ty_ec_order_len(c);
        must(ty_ec_keygen(&key, c, ty_rng_system()));
        must(ty_ecdsa_sign(sig, digest, sizeof digest, &key, ty_rng_system()));
    }
};

/* Binary curves: three of SEC 2. */
void Bench::add_ecdsa(std::vector<Op> &ops)
{
    static const struct {
        const char *curve, *sign, *verify, *ecdh;
    } rows[] = {
        {"sect163r2", "sect163r2-sign", "sect163r2-verify", "sect163r2-ecdh"},
        {"sect233r1", "sect233r1-sign", "sect233r1-verify", "sect233r1-ecdh"},
        {"sect283r1", "sect283r1-sign", "sect283r1-verify", "sect283r1-ecdh"},
    };
    const ty_rng *rng = ty_rng_system();
    for (const auto &row : rows) {
        const auto c = std::make_shared<Curve>(row.curve);
        const auto add = [&ops](const char *name, Call f) {
            ops.push_back({ "ecdsa", name, 0, std::move(f) });
        };
        add(row.sign,
            [c, rng] { must(ty_ecdsa_sign(c->sig, c->digest, sizeof c->digest, &c->key, rng)); });
        add(row.verify, [c] {
            must(ty_ecdsa_verify(c->sig, c->sig_len, c->digest, sizeof c->digest, &c->key.pub));
        });
        add(row.ecdh, [c] { must(ty_ec_ecdh(c->shared, &c->key.pub, &c->key)); });
    }
    /* DSTU 4145, on one of the curves above; those of its standard take longer */
    const auto c = std::make_shared<Curve>("sect233r1");
    const auto q = std::make_shared<ty_ec_pub>();
    const auto valid = std::make_shared<std::vector<uint8_t>>(c->sig_len);
    ty_dstu4145_pub(q.get(), &c->key.pub);
    must(ty_dstu4145_sign(valid->data(), c->digest, sizeof c->digest, &c->key, rng));
    ops.push_back({ "ecdsa", "dstu-233-sign", 0, [c, rng] {
                       must(ty_dstu4145_sign(c->sig, c->digest, sizeof c->digest, &c->key, rng));
                   } });
    ops.push_back({ "ecdsa", "dstu-233-verify", 0, [c, q, valid] {
                       must(ty_dstu4145_verify(valid->data(), valid->size(), c->digest,
                                               sizeof c->digest, q.get()));
                   } });
}

void Bench::add_keccak(std::vector<Op> &ops)
{
    uint8_t *const to = out.data();
    const uint8_t *const from = in.data();
    for (const size_t n : {size_t(1024), size_t(16384)}) {
        const auto add = [&ops, n](const char *name, Call f) {
            ops.push_back({ "keccak", name, n, std::move(f) });
        };
        add("sha3-256", [=] { ty_sha3_256_hash(to, from, n); });
        add("sha3-512", [=] { ty_sha3_512_hash(to, from, n); });
        add("shake128", [=] { ty_shake128_hash(to, 32, from, n); });
        add("shake256", [=] { ty_shake256_hash(to, 64, from, n); });
    }
}

void Bench::add_sha256(std::vector<Op> &ops)
{
    for (const size_t n : {size_t(1024), size_t(16384)})
        ops.push_back(
            { "sha256", "hash", n, [this, n] { ty_sha256_hash(out.data(), in.data(), n); } });
}

void Bench::add_sha512(std::vector<Op> &ops)
{
    for (const size_t n : {size_t(1024), size_t(16384)})
        ops.push_back(
            { "sha512", "hash", n, [this, n] { ty_sha512_hash(out.data(), in.data(), n); } });
}

void Bench::add_kdf(std::vector<Op> &ops)
{
    uint8_t *const to = out.data();
    const uint8_t *const from = in.data();
    const auto add = [&ops](const char *name, Call f) {
        ops.push_back({ "kdf", name, 0, std::move(f) });
    };
    for (size_t i = 0; i < messages; i++)
        passwords[i] = { digests[i], 32, from + 16 * i, 16, from, 16 };
    add("kdf-sm3", [=] { must(ty_kdf_sm3(to, 32, from, 64)); });
    add("hkdf-sm3", [=] { must(ty_hkdf_sm3(to, 32, from, 32, from, 32, from, 16)); });
    add("pbkdf2-1000", [=] { must(ty_pbkdf2_sm3(to, 32, from, 16, from, 16, 1000)); });
    add("32 pbkdf2-1000", [this] { must(ty_sm3_many_pbkdf2(passwords, messages, 1000)); });
}

/* Random integers of that many bits, an odd modulus m > x, y, and a product of twice the length. */
struct Numbers {
    static constexpr size_t side_by_side = 8;
    ty_mp x{}, y{}, m{}, product{}, z{}, r{}, powers[side_by_side]{};
    ty_mp_powm_job jobs[side_by_side];

    explicit Numbers(size_t bits)
    {
        const ty_rng *rng = ty_rng_system();
        Secret top(bits / 8);
        must(ty_rng_system()->fill(ty_rng_system()->ctx, top.data(), bits / 8));
        top.data()[0] |= 0x80, top.data()[bits / 8 - 1] |= 1;
        must(ty_mp_set_be(&m, top.data(), bits / 8));
        do must(ty_mp_random_below(&x, &m, rng)); while (ty_mp_invmod_vt(&z, &x, &m) != TY_OK);
        must(ty_mp_random_below(&y, &m, rng));
        must(ty_mp_mul(&product, &x, &y));
        for (size_t i = 0; i < side_by_side; i++) jobs[i] = {&powers[i], &x, &y, &m, TY_OK};
    }
    Numbers(const Numbers &) = delete;
    ~Numbers()
    {
        for (ty_mp *i : {&x, &y, &m, &product, &z, &r}) ty_mp_clear(i);
        for (ty_mp &i : powers) ty_mp_clear(&i);
    }
};

/* The bits are part of the name: size is only for operations on bytes. */
void Bench::add_mp(std::vector<Op> &ops)
{
    static const char *const names[][9] = {
        { "mul-256", "sqr-256", "div-256", "powm-256", "powm-vt-256", "8 powm-256", "inv-256",
          "inv-vt-256", "gcd-vt-256" },
        { "mul-1024", "sqr-1024", "div-1024", "powm-1024", "powm-vt-1024", "8 powm-1024",
          "inv-1024", "inv-vt-1024", "gcd-vt-1024" },
        { "mul-2048", "sqr-2048", "div-2048", "powm-2048", "powm-vt-2048", "8 powm-2048",
          "inv-2048", "inv-vt-2048", "gcd-vt-2048" },
        { "mul-4096", "sqr-4096", "div-4096", "powm-4096", "powm-vt-4096", "8 powm-4096",
          "inv-4096", "inv-vt-4096", "gcd-vt-4096" },
    };
    static const size_t bits[] = {256, 1024, 2048, 4096};
    for (size_t i = 0; i < 4; i++) {
        const auto w = std::make_shared<Numbers>(bits[i]);
        const Call calls[] = {
            [w] { must(ty_mp_mul(&w->z, &w->x, &w->y)); },
            [w] { must(ty_mp_sqr(&w->z, &w->x)); },
            [w] { must(ty_mp_div_vt(&w->z, &w->r, &w->product, &w->m)); },
            [w] { must(ty_mp_powm(&w->z, &w->x, &w->y, &w->m)); },
            [w] { must(ty_mp_powm_vt(&w->z, &w->x, &w->y, &w->m)); },
            [w] { must(ty_mp_many_powm(w->jobs, Numbers::side_by_side)); },
            [w] { must(ty_mp_invmod(&w->z, &w->x, &w->m)); },
            [w] { must(ty_mp_invmod_vt(&w->z, &w->x, &w->m)); },
            [w] { must(ty_mp_gcd_vt(&w->z, &w->x, &w->y)); },
        };
        for (size_t k = 0; k < 9; k++) ops.push_back({"mp", names[i][k], 0, calls[k]});
    }
}
