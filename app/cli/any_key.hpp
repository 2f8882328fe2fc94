/* A key of any algorithm (SM2, ML-DSA, binary curves), for the verbs that use keys. */
#ifndef TONGYU_CLI_ANY_KEY_HPP
#define TONGYU_CLI_ANY_KEY_HPP

#include "carrier.hpp"
#include "curves.hpp"
#include "keys.hpp"
#include "tongyu/ec_key.h"
#include "tongyu/mldsa_key.h"

/* The names that --alg takes, and the ML-DSA parameter set of one of them; 0 for sm2 and ec. */
const std::vector<std::string> &key_algs();
ty_mldsa_set set_of(const std::string &alg);

/* --curve: the curve of a new key, or the one that a given key must be on. */
void add_curve_option(
    CLI::App *app, std::string &curve,
    const std::string &help =
        "The binary curve that the key is on; its curve file if the curve has no name");

/* --alg of verbs that read a key: the parameter set of a bare ML-DSA seed. */
void add_seed_alg(CLI::App *app, std::string &alg);

/* How a key was stored in its file. */
struct KeyOrigin {
    /* input: the algorithm that --alg names, for a bare seed */
    std::string alg;
    /* "hexadecimal digits" or "bare bytes" for a raw key (raw_key.hpp), after "seed, " if it is an
     * ML-DSA seed; else empty */
    std::string raw;
    std::unique_ptr<Carrier> carrier;  /* the certificate or request that a public key came in */
    ty_key_cost lock{};                /* how the file is encrypted, if it is */
};

struct AnyKey {
    Wiped<ty_key> sm2;
    Wiped<ty_mldsa_key> mldsa;
    Wiped<ty_ec_key> ec;
    ty_mldsa_file file{};              /* form and coding of the key in mldsa */
    ty_ec_file ec_file{};              /* the same of the key in ec */
    KeyOrigin from;
    /* the curve of ec, if the library has no kernels for it */
    std::unique_ptr<ty_ec_any> any_curve;

    bool is_mldsa() const { return mldsa.pub.set != 0; }
    bool is_ec() const { return ec.pub.curve != nullptr; }
    bool is_sm2() const { return !is_mldsa() && !is_ec(); }
    bool is_private() const
    {
        return is_mldsa() ? file.private_key : is_ec() ? ec_file.private_key : sm2.private_key;
    }
    ty_key_form inner_form() const
    {
        return is_mldsa() ? file.form : is_ec() ? ec_file.form : sm2.form;
    }
    ty_key_form form() const { return from.lock.encrypted ? from.lock.form : inner_form(); }
    ty_key_coding coding() const
    {
        return from.lock.encrypted ? from.lock.coding
               : is_mldsa()        ? file.coding
               : is_ec()           ? ec_file.coding
                                   : sm2.coding;
    }
    bool is_encrypted() const { return from.lock.encrypted; }
    std::string alg() const;           /* "sm2", "ml-dsa-65", "ec" */
    std::string title() const;         /* "SM2", "ML-DSA-65", "sect233r1" */
    Secret point() const;              /* 04||x||y of a key on a curve */
    std::string public_hex() const;    /* the same, or the public key as FIPS 204 encodes it */
    /* SM3 of SubjectPublicKeyInfo: the same for every form of the key */
    std::string fingerprint() const;
    /* compressed: write a compressed point; for binary curves only */
    Secret public_file(ty_key_coding how, bool compressed = false) const;
    /* password: NULL for the unencrypted forms; content: for an ML-DSA key */
    Secret private_file(ty_key_form as, ty_mldsa_content content, ty_key_coding how,
                        const Secret *password, uint32_t iterations) const;

    /* The binary curve of that name, object identifier or file, set up in any_curve if the library
     * has no kernels for it. */
    const ty_ec_curve *take_curve(const std::string &name);
};

/* Like load_key, which accepts SM2 keys only, for a key of any algorithm. curve: if not empty, the
 * key must be on this curve. */
void load_any_key(Context &ctx, AnyKey &key, const std::string &path, const Password &password,
                  Need need, const std::string &curve = "");

/* The same for the contents of a file that has been read already; name is used in messages. */
void read_any_key(Context &ctx, AnyKey &key, const Secret &text, const std::string &name,
                  const Password &password, Need need, const std::string &curve = "");

#endif
