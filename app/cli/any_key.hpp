/* A key of any algorithm, as the verbs about keys and signatures meet it. */
#ifndef TONGYU_CLI_ANY_KEY_HPP
#define TONGYU_CLI_ANY_KEY_HPP

#include "carrier.hpp"
#include "curves.hpp"
#include "keys.hpp"
#include "tongyu/ec_key.h"
#include "tongyu/mldsa_key.h"

/* The names that --alg takes, and the set behind one of them; 0 for sm2 and ec. */
const std::vector<std::string> &key_algs();
ty_mldsa_set set_of(const std::string &alg);

/* --curve: which curve a new key is on, or a key has to be on. */
void add_curve_option(
    CLI::App *app, std::string &curve,
    const std::string &help =
        "The binary curve that the key is on; its curve file if the curve has no name");

/* --alg of verbs that read a key: of a bare seed nothing else says what it is one of. */
void add_seed_alg(CLI::App *app, std::string &alg);

/* What was around a key in its file. */
struct KeyOrigin {
    /* set before: the algorithm that --alg names, for a seed that does not tell */
    std::string alg;
    /* "hexadecimal digits", "bare bytes", if there was nothing around it */
    std::string raw;
    std::unique_ptr<Carrier> carrier;  /* the certificate or request that a public key came in */
    ty_key_cost lock{};                /* how the file is encrypted, if it is */
};

struct AnyKey {
    Wiped<ty_key> sm2;
    Wiped<ty_mldsa_key> mldsa;
    Wiped<ty_ec_key> ec;
    ty_mldsa_file file{};              /* of the key in mldsa, if there is one */
    ty_ec_file ec_file{};              /* of that in ec */
    KeyOrigin from;
    /* the curve of ec, if the library has no code for it alone */
    std::unique_ptr<ty_ec_any> room;

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
    /* compressed: of a binary curve */
    Secret public_file(ty_key_coding how, bool compressed = false) const;
    /* password: NULL for the forms that have none; content: of an ML-DSA key */
    Secret private_file(ty_key_form as, ty_mldsa_content content, ty_key_coding how,
                        const Secret *password, uint32_t iterations) const;

    /* A binary curve by name, identifier or file, set up in room where that is necessary. */
    const ty_ec_curve *take_curve(const std::string &name);
};

/* As load_key, which takes keys of SM2 alone. curve: if not empty, the key has to be on that
 * one. */
void load_any_key(Context &ctx, AnyKey &key, const std::string &path, const Password &password,
                  Need need, const std::string &curve = "");

/* The same of a text that was read already; name is what messages call it. */
void read_any_key(Context &ctx, AnyKey &key, const Secret &text, const std::string &name,
                  const Password &password, Need need, const std::string &curve = "");

#endif
