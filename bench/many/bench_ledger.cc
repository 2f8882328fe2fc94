// Verification of a ledger's columns with signers in random order: in the order of the rows, and by
// the ledgers of tongyu/ledger.h. Minima over alternating rounds, in one thread, and how many times
// as fast the second is.
//     bench-ledger [ROUNDS]
#include "rng.hpp"
#include "tongyu/ledger.h"
#include "tongyu/mldsa_many.h"
#include "tongyu/sm2_many.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ty_column fixed(const std::vector<uint8_t> &data, size_t width)
{
    ty_column c = {};
    c.form = TY_COLUMN_FIXED;
    c.data = data.data();
    c.data_len = data.size();
    c.width = width;
    return c;
}

// Runs both alternately and prints their speed; false if one of them found a bad signature.
template <class F, class G>
static bool compare(const char *what, size_t signers, size_t n, int rounds, F first, G second)
{
    double best[2] = {1e9, 1e9};
    for (int r = 0; r < rounds; r++) {
        const double a = cpu_seconds();
        if (!first()) return false;
        const double b = cpu_seconds();
        if (!second()) return false;
        best[0] = std::min(best[0], b - a);
        best[1] = std::min(best[1], cpu_seconds() - b);
    }
    std::printf("%-34s %5zu signers %8.0f and %8.0f a second: %.2f times\n", what, signers,
                (double)n / best[0], (double)n / best[1], best[0] / best[1]);
    return true;
}

enum { MSG = 64 };

static bool sm2(size_t signers, int rounds)
{
    const size_t n = 40000;
    std::vector<ty_sm2_key> keys(signers);
    std::vector<ty_sm2_keygen_job> make;
    for (ty_sm2_key &k : keys) make.push_back({&k, TY_OK});
    bool ok = ty_sm2_many_keygen(make.data(), signers, &rng) == TY_OK;
    std::vector<uint8_t> msg(n * MSG), sig(n * 64), pub(n * 64);
    std::vector<ty_sm2_sign_job> sign;
    std::vector<ty_sm2_verify_job> jobs;
    const uint8_t *id = (const uint8_t *)TY_SM2_ID;
    for (size_t i = 0; i < n; i++) {
        const ty_sm2_key *key = &keys[next(seed) % signers];
        uint8_t whole[65];
        for (size_t j = 0; j < MSG; j++) msg[MSG * i + j] = (uint8_t)next(seed);
        ty_sm2_pub_get(whole, &key->pub);
        std::copy(whole + 1, whole + 65, pub.begin() + (long)(64 * i));
        sign.push_back({&sig[64 * i], nullptr, &msg[MSG * i], MSG, id, TY_SM2_ID_LEN, key, TY_OK});
        jobs.push_back(
            { &sig[64 * i], nullptr, &msg[MSG * i], MSG, id, TY_SM2_ID_LEN, &key->pub, TY_OK });
    }
    ok &= ty_sm2_many_sign(sign.data(), n, &rng) == TY_OK;
    const ty_ledger_rows rows = {fixed(msg, MSG), fixed(sig, 64), fixed(pub, 64), {}};
    std::vector<uint8_t> memory(ty_sm2_ledger_size(4096)), good((n + 7) / 8),
        all((n + 7) / 8, 0xff);
    ty_sm2_ledger *ledger;
    ok &= ty_sm2_ledger_init(&ledger, memory.data(), memory.size(), 4096) == TY_OK;
    const auto many = [&] { return ty_sm2_many_verify(jobs.data(), n) == TY_OK; };
    const auto whole = [&] {
        return ty_sm2_ledger_verify(good.data(), nullptr, &rows, n, ledger) == TY_OK && good == all;
    };
    const auto vectors = [&] {   // in calls of 2,000 rows, as a database passes them
        for (size_t at = 0; at < n; at += 2000) {
            ty_ledger_rows some = rows;
            some.msg.first = some.sig.first = some.pub.first = at;
            if (ty_sm2_ledger_verify(good.data() + at / 8, nullptr, &some, 2000, ledger) != TY_OK)
                return false;
        }
        return good == all;
    };
    return ok && compare("SM2, many_verify and ledger", signers, n, rounds, many, whole) &&
           compare("SM2, the same, 2,000 rows a call", signers, n, rounds, many, vectors);
}

static bool mldsa65(size_t signers, int rounds)
{
    const size_t n = 4000, sig_len = ty_mldsa_sig_len(TY_MLDSA_65),
                 pub_len = ty_mldsa_pub_len(TY_MLDSA_65);
    std::vector<ty_mldsa_key> keys(signers);
    bool ok = true;
    for (ty_mldsa_key &k : keys) ok &= ty_mldsa_keygen(&k, TY_MLDSA_65, &rng) == TY_OK;
    std::vector<uint8_t> msg(n * MSG), sig(n * sig_len), pub(n * pub_len);
    std::vector<ty_mldsa_sign_job> sign;
    std::vector<const ty_mldsa_pub *> who;
    for (size_t i = 0; i < n; i++) {
        const ty_mldsa_key *key = &keys[next(seed) % signers];
        for (size_t j = 0; j < MSG; j++) msg[MSG * i + j] = (uint8_t)next(seed);
        std::copy(key->pub.bytes, key->pub.bytes + pub_len, pub.begin() + (long)(pub_len * i));
        sign.push_back({ &sig[sig_len * i], sig_len, nullptr, &msg[MSG * i], MSG, nullptr, 0, key,
                         nullptr, TY_OK });
        who.push_back(&key->pub);
    }
    ok &= ty_mldsa_many_sign(sign.data(), n, &rng) == TY_OK;
    const ty_ledger_rows rows = {fixed(msg, MSG), fixed(sig, sig_len), fixed(pub, pub_len), {}};
    std::vector<uint8_t> memory(ty_mldsa_ledger_size(256)), good((n + 7) / 8),
        all((n + 7) / 8, 0xff);
    ty_mldsa_ledger *ledger;
    ok &= ty_mldsa_ledger_init(&ledger, memory.data(), memory.size(), 256) == TY_OK;
    return ok &&
           compare(
               "ML-DSA-65, one by one and ledger", signers, n, rounds,
               [&] {
                   for (size_t i = 0; i < n; i++)
                       if (ty_mldsa_verify(&sig[sig_len * i], sig_len, &msg[MSG * i], MSG, nullptr,
                                           0, who[i]) != TY_OK)
                           return false;
                   return true;
               },
               [&] {
                   return ty_mldsa_ledger_verify(good.data(), nullptr, &rows, n, ledger) == TY_OK &&
                          good == all;
               });
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    bool ok = true;
    for (size_t signers : {100, 2000, 40000}) ok = ok && sm2(signers, rounds);
    ok = ok && mldsa65(100, rounds);
    if (!ok) std::fprintf(stderr, "bench-ledger: making keys, signing or verification failed\n");
    return !ok;
}
