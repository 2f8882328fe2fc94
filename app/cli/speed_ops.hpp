/* What speed measures: the operations of each family, ready to be called. */
#ifndef TONGYU_CLI_SPEED_OPS_HPP
#define TONGYU_CLI_SPEED_OPS_HPP

#include "secret.hpp"
#include "tongyu/dstu4145.h"
#include "tongyu/ecdsa.h"
#include "tongyu/keccak.h"
#include "tongyu/mldsa.h"
#include "tongyu/mp.h"
#include "tongyu/sha2.h"
#include "tongyu/sm2.h"
#include "tongyu/sm2_many.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_mac.h"
#include "tongyu/sm4_many.h"
#include "tongyu/sm4_wrap.h"
#include "tongyu/sm4_xts.h"

#include <functional>
#include <memory>
#include <vector>

using Call = std::function<void()>;

struct Op {
    const char *family, *name;
    size_t size;                 /* bytes per call; 0: the rate is in operations, not bytes */
    Call call;
};

/* The data of the operations. It is constructed again for each tier, because a key keeps the
 * kernels that were chosen when it was set up. */
class Bench {
    static constexpr size_t room = 65536;
    Secret in{room}, out{room + 128};
    uint8_t bytes[32] = {1}, iv[16] = {2}, digest[32], sig[64], tag[16], ct[32 + TY_SM2_OVERHEAD];
    Wiped<ty_sm4_key> sm4;
    Wiped<ty_sm4_gcm_key> gcm;
    Wiped<ty_sm4_ocb_key> ocb;
    Wiped<ty_sm4_xts_key> xts;
    Wiped<ty_sm4_hctr_key> hctr;
    Wiped<ty_sm4_cmac_key> cmac;
    Wiped<ty_sm2_key> key;
    struct Lattice;                     /* keys of one ML-DSA parameter set, precomputed: 150 KB */
    std::vector<std::shared_ptr<Lattice>> lattices;

    static constexpr size_t messages = 32;        /* in a call for several messages */
    ty_sm4_key keys[messages];
    ty_sm4_gcm_key gcm_keys[messages];
    ty_sm4_job jobs[messages];
    ty_sm4_gcm_job gcm_jobs[messages];
    uint8_t tags[messages][16];
    ty_sm2_sign_job signs[messages];
    ty_sm2_verify_job verifies[messages];
    Wiped<ty_sm2_key> made[messages];
    ty_sm2_keygen_job keygens[messages];
    ty_sm2_ecdh_job ecdhs[messages];
    ty_sm2_encrypt_job encryptions[messages];
    ty_sm2_decrypt_job decryptions[messages];
    uint8_t sealed[messages][32 + TY_SM2_OVERHEAD];
    uint8_t sigs[messages][64], digests[messages][32];
    ty_sm3_job hashes[messages];
    ty_pbkdf2_sm3_job passwords[messages];
    Wiped<ty_sm2_verifier> verifier;

    void add_modes(std::vector<Op> &ops, size_t n);
    void add_authenticated(std::vector<Op> &ops, size_t n);
    void add_slow_modes(std::vector<Op> &ops, size_t n);
    void add_many(std::vector<Op> &ops, size_t n);

public:
    Bench();
    Bench(const Bench &) = delete;
    void add_sm2(std::vector<Op> &ops);
    void add_sm3(std::vector<Op> &ops);
    void add_sm4(std::vector<Op> &ops);
    void add_mldsa(std::vector<Op> &ops);
    void add_mp(std::vector<Op> &ops);
    void add_ecdsa(std::vector<Op> &ops);
    void add_keccak(std::vector<Op> &ops);
    void add_sha256(std::vector<Op> &ops);
    void add_sha512(std::vector<Op> &ops);
    void add_kdf(std::vector<Op> &ops);
};

#endif
