/* A key of any algorithm, as the verbs about keys and signatures meet it. */
#ifndef TONGYU_CLI_ANY_KEY_HPP
#define TONGYU_CLI_ANY_KEY_HPP

#include "keys.hpp"
#include "tongyu/mldsa_key.h"

/* The names that --alg takes, and the set behind one of them; 0 for sm2. */
const std::vector<std::string> &key_algs();
ty_mldsa_set set_of(const std::string &alg);

struct AnyKey {
    Wiped<ty_key> sm2;
    Wiped<ty_mldsa_key> mldsa;
    ty_mldsa_file file{};              /* of the key in mldsa, if there is one */

    bool is_mldsa() const { return mldsa.pub.set != 0; }
    bool is_private() const { return is_mldsa() ? file.private_key : sm2.private_key; }
    ty_key_form form() const { return is_mldsa() ? file.form : sm2.form; }
    ty_key_coding coding() const { return is_mldsa() ? file.coding : sm2.coding; }
    bool is_encrypted() const { return form() == TY_KEY_PKCS8_PBES2 || form() == TY_KEY_PKCS8_PBES2_SHA256; }
    std::string alg() const;           /* "sm2", "ml-dsa-65" */
    std::string public_hex() const;    /* 04||x||y, or the public key as FIPS 204 encodes it */
    std::string fingerprint() const;   /* SM3 of SubjectPublicKeyInfo: the same for every form of the key */
    Secret public_file(ty_key_coding how) const;
    /* password: NULL for the forms that have none; content: of an ML-DSA key */
    Secret private_file(ty_key_form as, ty_mldsa_content content, ty_key_coding how, const Secret *password,
                        uint32_t iterations) const;
};

/* As load_key, which takes keys of SM2 alone. */
void load_any_key(Context &ctx, AnyKey &key, const std::string &path, const Password &password, Need need);

#endif
