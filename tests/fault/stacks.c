/* How much stack the public calls of stacks_calls.inc use, and what happens where there is too
 * little.
 *
 *   stacks            prints "name bytes" for each call: the most on any level of this CPU, on a
 *                     stack that is filled with a pattern beforehand
 *   stacks --thread   runs each call in a thread with 64 KB of stack and a guard page: it must
 *                     succeed or hit the guard page; the memory below that must be unchanged
 *   stacks --workers  runs the call that uses most stack in the threads of ty_parallel, with the
 *                     default size of a stack set to 128 KB, which is musl's
 *   stacks --overrun  as --thread, for a function that jumps over the guard page: this must be
 *                     detected
 *
 * stacks.py compares the figures with docs/stacks.md and with the headers. */
#define _GNU_SOURCE
#include "tongyu/ledger.h"
#include "tongyu/os.h"
#include "tongyu/tongyu.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEN = 4096, JOBS = 40, BIG = 1 << 20, SMALL = 1 << 16, PAGE = 1 << 12, PAINT = 0xa5 };

static void fail(const char *what)
{
    fprintf(stderr, "stacks: %s failed\n", what);
    _exit(3);
}
#define OK(call) do { if ((call) != TY_OK) fail(#call); } while (0)
#define IGNORE(call) do { if ((call) == TY_ERR_ARG) fail(#call); } while (0)
#define USED(call) do { if ((call) == 0) fail(#call); } while (0)

static uint64_t state = 88172645463325252u;
static ty_err fill(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out[i] = (uint8_t)(state >> 32);
    }
    return TY_OK;
}
static const ty_rng rng = { fill, NULL };

enum { CURVES = 32, SIZES = 7 };
static struct {
    uint8_t msg[LEN + 64], out[1 << 16], iv[16], tag[128];
    uint8_t gcm_out[LEN], gcm_tag[16], ccm_out[LEN], ccm_tag[16], ocb_out[LEN], ocb_tag[16];
    uint8_t siv_out[LEN], siv_tag[16], hashes[JOBS][64], cipher[JOBS][1024];
    ty_sm3_job sm3_jobs[JOBS];
    ty_hmac_sm3 hmac;
    ty_pbkdf2_sm3_job pbkdf2_jobs[JOBS];
    ty_sm4_key sm4;
    ty_sm4_gcm_key gcm, gcm_keys[JOBS];
    ty_sm4_key sm4_keys[JOBS];
    ty_sm4_ocb_key ocb;
    ty_sm4_hctr_key hctr;
    ty_sm4_xts_key xts;
    ty_sm4_cmac_key cmac;
    ty_sm4_job sm4_jobs[JOBS];
    ty_sm4_cmac_job cmac_jobs[JOBS];
    ty_sm4_ccm_job ccm_jobs[JOBS];
    ty_sm4_gcm_job gcm_jobs[JOBS];
    ty_sm2_key sm2, sm2_made[JOBS];
    uint8_t sm2_point[33], sm2_sig[64], sm2_ct[LEN + 97];
    ty_sm2_signer sm2_signer;
    ty_sm2_verifier sm2_verifier;
    ty_sm2_keygen_job sm2_keygen_jobs[JOBS];
    ty_sm2_sign_job sm2_sign_jobs[JOBS];
    ty_sm2_verify_job sm2_verify_jobs[JOBS];
    ty_sm2_ecdh_job sm2_ecdh_jobs[JOBS];
    ty_sm2_encrypt_job sm2_encrypt_jobs[JOBS];
    ty_sm2_decrypt_job sm2_decrypt_jobs[JOBS];
    ty_ledger_rows sm2_rows, mldsa_rows;
    ty_sm2_ledger *sm2_ledger;
    ty_mldsa_ledger *mldsa_ledger;
    ty_ec_key ec[CURVES];
    uint8_t ec_sig[CURVES][2 * TY_EC_MAX];
    ty_ecdsa_verify_job ecdsa_jobs[JOBS];
    ty_key key;
    uint8_t key_file[2048], mldsa_file[16384], box_header[TY_BOX_HEADER_MAX];
    size_t key_file_len, mldsa_file_len, box_header_len;
    ty_box box;
    ty_mldsa_key mldsa, mldsa_again, mldsa_made[9];
    uint8_t mldsa_sig[4627], mldsa_sigs[9][4627];
    ty_mldsa_signer mldsa_signer;
    ty_mldsa_verifier mldsa_verifier;
    ty_mldsa_keygen_job mldsa_keygen_jobs[8];
    ty_mldsa_sign_job mldsa_sign_jobs[9];
    ty_mldsa_verify_job mldsa_verify_jobs[9];
    ty_mp x[SIZES], y[SIZES], m[SIZES], e[SIZES], z, prime, small, long_number, powers[JOBS];
    ty_mp_powm_job powm_jobs[JOBS];
    ty_mp_mont mont;
    char digits[20001], text[30000];
    size_t digits_len;
} g;

static const size_t bits[SIZES] = { 256, 512, 1024, 2048, 3072, 4096, 50000 };

#define EACH_CURVE(...)                                                                           \
    {                                                                                              \
        const ty_ec_curve *curve;                                                                  \
        for (size_t i = 0; i < CURVES && (curve = ty_ec_curve_at(i)); i++) {                       \
            const ty_ec_key *key = &g.ec[i];                                                       \
            (void)key;                                                                             \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }
#define SIZES_OF(n, ...)                                                                          \
    for (size_t i = 0; i < (n); i++) {                                                             \
        const ty_mp *x = &g.x[i], *y = &g.y[i], *e = &g.e[i], *m = &g.m[i];                        \
        ty_mp *z = &g.z;                                                                           \
        (void)x, (void)y, (void)e, (void)m, (void)z;                                               \
        __VA_ARGS__;                                                                               \
    }
#define EACH_SIZE(...)    SIZES_OF(SIZES, __VA_ARGS__)
#define EACH_MODULUS(...) SIZES_OF(SIZES - 1, __VA_ARGS__)

#define X(name, ...) static void run_##name(void) { __VA_ARGS__; }
#include "stacks_calls.inc"
#undef X
static const struct {
    const char *name;
    void (*run)(void);
} calls[] = {
#define X(name, ...) { #name, run_##name },
#include "stacks_calls.inc"
#undef X
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* --- inputs of the calls ---------------------------------------------------------------------- */

static void setup_sm4(void)
{
    ty_sm4_init(&g.sm4, g.msg);
    ty_sm4_gcm_init(&g.gcm, g.msg);
    ty_sm4_ocb_init(&g.ocb, g.msg);
    ty_sm4_hctr_init(&g.hctr, g.msg);
    ty_sm4_cmac_init(&g.cmac, g.msg);
    OK(ty_sm4_xts_init(&g.xts, g.msg));
    OK(ty_sm4_gcm_seal(g.gcm_out, g.gcm_tag, 16, g.msg, LEN, g.msg, 99, g.iv, 12, &g.gcm));
    OK(ty_sm4_ccm_seal(g.ccm_out, g.ccm_tag, 16, g.msg, LEN, g.msg, 99, g.iv, 12, &g.sm4));
    OK(ty_sm4_ocb_seal(g.ocb_out, g.ocb_tag, 16, g.msg, LEN, g.msg, 99, g.iv, 12, &g.ocb));
    OK(ty_sm4_gcm_siv_seal(g.siv_out, g.siv_tag, g.msg, LEN, g.msg, 99, g.iv, &g.sm4));
    for (size_t i = 0; i < JOBS; i++) {
        uint8_t *out = g.cipher[i], *tag = g.hashes[i];
        g.sm4_jobs[i] = (ty_sm4_job){ out, g.msg, 1024, g.iv, &g.sm4, TY_OK };
        g.cmac_jobs[i] = (ty_sm4_cmac_job){ tag, 16, g.msg, 1000, &g.cmac, TY_OK };
        g.ccm_jobs[i] =
            (ty_sm4_ccm_job){ out, tag, 16, g.msg, 1000, g.msg, 99, g.iv, 12, &g.sm4, TY_OK };
        g.gcm_jobs[i] =
            (ty_sm4_gcm_job){ out, tag, 16, g.msg, 1000, g.msg, 99, g.iv, 12, &g.gcm, TY_OK };
    }
}

static void setup_hashes(void)
{
    ty_hmac_sm3_init(&g.hmac, g.msg, 32);
    for (size_t i = 0; i < JOBS; i++) {
        g.sm3_jobs[i] = (ty_sm3_job){ g.hashes[i], g.msg, 100 * i };
        g.pbkdf2_jobs[i] = (ty_pbkdf2_sm3_job){ g.hashes[i], 64, g.msg, 10, g.msg, 16 };
    }
}

static void setup_sm2(void)
{
    OK(ty_sm2_keygen(&g.sm2, &rng));
    ty_sm2_pub_get_compressed(g.sm2_point, &g.sm2.pub);
    OK(ty_sm2_sign(g.sm2_sig, g.msg, LEN, NULL, 0, &g.sm2, &rng));
    OK(ty_sm2_encrypt(g.sm2_ct, g.msg, LEN, TY_SM2_C1C3C2, &g.sm2.pub, &rng));
    OK(ty_sm2_signer_init(&g.sm2_signer, &g.sm2, NULL, 0));
    OK(ty_sm2_verifier_init(&g.sm2_verifier, &g.sm2.pub, NULL, 0));
    for (size_t i = 0; i < JOBS; i++) {
        g.sm2_keygen_jobs[i] = (ty_sm2_keygen_job){ &g.sm2_made[i], TY_OK };
        g.sm2_sign_jobs[i] = (ty_sm2_sign_job){ .sig = g.hashes[i], .msg = g.msg,
                                                .msg_len = LEN, .key = &g.sm2 };
        g.sm2_verify_jobs[i] = (ty_sm2_verify_job){ .sig = g.sm2_sig, .msg = g.msg,
                                                    .msg_len = LEN, .pub = &g.sm2.pub };
        /* every other message is long, and hashed alone */
        const size_t len = i % 2 ? 900 : 32;
        g.sm2_ecdh_jobs[i] = (ty_sm2_ecdh_job){ g.hashes[i], &g.sm2.pub, &g.sm2, TY_OK };
        g.sm2_encrypt_jobs[i] = (ty_sm2_encrypt_job){ g.cipher[i], g.msg, len, TY_SM2_C1C3C2,
                                                      &g.sm2.pub, TY_OK };
        g.sm2_decrypt_jobs[i] = (ty_sm2_decrypt_job){ g.out + 1024 * i, g.cipher[i], len + 97,
                                                      TY_SM2_C1C3C2, &g.sm2, TY_OK };
    }
    const size_t room = ty_sm2_ledger_size(4);
    OK(ty_sm2_ledger_init(&g.sm2_ledger, malloc(room), room, 4));
    g.sm2_rows.msg = (ty_column){ .form = TY_COLUMN_SAME, .data = g.msg, .data_len = LEN };
    g.sm2_rows.sig = (ty_column){ .form = TY_COLUMN_SAME, .data = g.sm2_sig, .data_len = 64 };
    g.sm2_rows.pub = (ty_column){ .form = TY_COLUMN_SAME, .data = g.sm2_point, .data_len = 33 };
}

static void setup_curves(void)
{
    const ty_ec_curve *curve;
    size_t n = 0;
    for (; n < CURVES && (curve = ty_ec_curve_at(n)); n++) {
        OK(ty_ec_keygen(&g.ec[n], curve, &rng));
        OK(ty_ecdsa_sign(g.ec_sig[n], g.msg, 32, &g.ec[n], &rng));
    }
    for (size_t i = 0; i < JOBS; i++) {   /* half of them on the last curve, the rest on all */
        const size_t at = i < JOBS / 2 ? n - 1 : i % n;
        g.ecdsa_jobs[i] =
            (ty_ecdsa_verify_job){ g.ec_sig[at], 2 * ty_ec_order_len(ty_ec_curve_at(at)), g.msg, 32,
                                   &g.ec[at].pub, TY_OK };
    }
}

static void setup_files(void)
{
    g.key.private_key = 1;
    g.key.sm2 = g.sm2;
    g.key.pub = g.sm2.pub;
    g.key_file_len = sizeof g.key_file;
    OK(ty_key_write(g.key_file, &g.key_file_len, &g.key, TY_KEY_PKCS8_PBES2, TY_KEY_PEM, "pw", 2, 3,
                    &rng));
    g.mldsa_file_len = sizeof g.mldsa_file;
    OK(ty_mldsa_key_write(g.mldsa_file, &g.mldsa_file_len, &g.mldsa, TY_MLDSA_BOTH,
                          TY_KEY_PKCS8_PBES2, TY_KEY_PEM, "pw", 2, 3, &rng));
    g.box_header_len = sizeof g.box_header;
    OK(ty_box_seal_pub(&g.box, g.box_header, &g.box_header_len, &g.sm2.pub, 1, &rng));
}

static void setup_mldsa(void)
{
    OK(ty_mldsa_keygen(&g.mldsa, TY_MLDSA_87, &rng));
    OK(ty_mldsa_sign(g.mldsa_sig, 4627, g.msg, LEN, NULL, 0, &g.mldsa, &rng));
    OK(ty_mldsa_signer_init(&g.mldsa_signer, &g.mldsa));
    OK(ty_mldsa_verifier_init(&g.mldsa_verifier, &g.mldsa.pub));
    for (size_t i = 0; i < 9; i++) {
        if (i < 8)
            g.mldsa_keygen_jobs[i] =
                (ty_mldsa_keygen_job){ &g.mldsa_made[i], TY_MLDSA_87, g.msg + i, TY_OK };
        g.mldsa_sign_jobs[i] = (ty_mldsa_sign_job){ .sig = g.mldsa_sigs[i], .sig_len = 4627,
                                                    .msg = g.msg, .msg_len = LEN,
                                                    .key = &g.mldsa };
        g.mldsa_verify_jobs[i] = (ty_mldsa_verify_job){ .sig = g.mldsa_sig, .sig_len = 4627,
                                                        .msg = g.msg, .msg_len = LEN,
                                                        .pub = &g.mldsa.pub };
    }
    const size_t room = ty_mldsa_ledger_size(4);
    OK(ty_mldsa_ledger_init(&g.mldsa_ledger, malloc(room), room, 4));
    g.mldsa_rows.msg = g.sm2_rows.msg;
    g.mldsa_rows.sig = (ty_column){ .form = TY_COLUMN_SAME, .data = g.mldsa_sig, .data_len = 4627 };
    g.mldsa_rows.pub =
        (ty_column){ .form = TY_COLUMN_SAME, .data = g.mldsa.pub.bytes, .data_len = 2592 };
}

/* For each size in bits: random odd x and e of one bit less, y of half the bits, m of all of them.
 * prime = 2^607 - 1, small = 2^200, long_number of 20,000 digits. */
static void setup_integers(void)
{
    ty_mp *all[] = { &g.z, &g.prime, &g.small, &g.long_number, NULL };
    for (size_t i = 0; all[i]; i++) ty_mp_init(all[i]);
    for (size_t i = 0; i < JOBS; i++) ty_mp_init(&g.powers[i]);
    for (size_t i = 0; i < SIZES; i++) {
        ty_mp *const four[4] = { &g.x[i], &g.y[i], &g.m[i], &g.e[i] };
        for (size_t j = 0; j < 4; j++) {
            ty_mp_init(four[j]);
            const size_t n = j == 1 ? bits[i] / 2 : bits[i] - (j != 2);
            OK(ty_mp_random_bits(four[j], n, &rng));
            ty_mp_set_u64(&g.z, 1);
            OK(ty_mp_shl(&g.z, &g.z, n - 1));
            OK(ty_mp_or(four[j], four[j], &g.z));
            ty_mp_set_u64(&g.z, 1);
            OK(ty_mp_or(four[j], four[j], &g.z));
        }
    }
    ty_mp_set_u64(&g.small, 1);
    OK(ty_mp_shl(&g.prime, &g.small, 607));
    OK(ty_mp_sub(&g.prime, &g.prime, &g.small));
    OK(ty_mp_shl(&g.small, &g.small, 200));
    memset(g.digits, '7', g.digits_len = 20000);
    OK(ty_mp_set_str_vt(&g.long_number, g.digits, g.digits_len, 10));
}

static void setup(void)
{
    (void)fill(NULL, g.msg, sizeof g.msg);
    setup_hashes();
    setup_sm4();
    setup_sm2();
    setup_curves();
    setup_mldsa();
    setup_files();
    setup_integers();
}

/* --- measurement ------------------------------------------------------------------------------ */

typedef struct measured {
    void (*run)(void);
    const uint8_t *top;      /* where the call's frame begins */
} measured;

/* The end of the thread writes over the top of the stack: the call runs well below it. */
static void *below(void *p)
{
    measured *const m = p;
    volatile uint8_t above[SMALL];
    above[0] = above[SMALL - 1] = 1;
    m->top = (const uint8_t *)above;
    m->run();
    above[1] = above[0];
    return NULL;
}

/* the bytes of stack that run uses, from the frame of its caller on */
static size_t depth(void (*run)(void))
{
    static uint8_t *stack;
    if (!stack) stack = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) fail("mmap");
    memset(stack, PAINT, BIG);
    measured m = { run, NULL };
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, BIG);
    if (pthread_create(&thread, &attr, below, &m) != 0) fail("pthread_create");
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    const uint8_t *p = stack;
    while (p < m.top && *p == PAINT) p++;
    return (size_t)(m.top - p);
}

static void nothing(void) {}

static void measure(void)
{
    static size_t most[CALLS];
    for (size_t l = 0; ty_tier_level(l); l++) {
        if (ty_tier_limit(ty_tier_level(l)) != TY_OK) {
            fprintf(stderr, "[ NO LEVEL ] %s: this CPU lacks it\n", ty_tier_level(l));
            continue;
        }
        setup();
        const size_t none = depth(nothing);
        for (size_t i = 0; i < CALLS; i++) {
            const size_t d = depth(calls[i].run);
            if (d < none + 16) fail(calls[i].name);   /* nothing was run */
            if (most[i] < d - none) most[i] = d - none;
        }
    }
    for (size_t i = 0; i < CALLS; i++) printf("%s %zu\n", calls[i].name, most[i]);
}

/* --- 64 KB and a guard page ------------------------------------------------------------------- */

static uint8_t *guarded;     /* upwards: SMALL bytes, the guard page, SMALL bytes of stack */

static int untouched(void)
{
    for (size_t i = 0; i < SMALL; i++)
        if (guarded[i] != PAINT) return 0;
    return 1;
}
static void fault(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)context;
    const uint8_t *at = info->si_addr;
    const int guard = at >= guarded + SMALL && at < guarded + SMALL + PAGE;
    _exit(guard && untouched() ? 10 : 11);
}
static void *small_thread(void *p)
{
    static uint8_t other[1 << 14] __attribute__((aligned(16)));
    const stack_t alternative = { .ss_sp = other, .ss_size = sizeof other };
    const struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    sigaltstack(&alternative, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    (*(void (**)(void))p)();
    return NULL;
}

/* 0: run succeeded; 10: it hit the guard page; otherwise it wrote beyond its stack, or failed */
static int in_small_thread(void (*run)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        pthread_attr_t attr;
        pthread_t thread;
        guarded = mmap(NULL, 2 * SMALL + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
        if (guarded == MAP_FAILED) _exit(12);
        memset(guarded, PAINT, SMALL);
        mprotect(guarded + SMALL, PAGE, PROT_NONE);
        pthread_attr_init(&attr);
        if (pthread_attr_setstack(&attr, guarded + SMALL + PAGE, SMALL) != 0 ||
            pthread_create(&thread, &attr, small_thread, &run) != 0)
            _exit(12);
        pthread_join(thread, NULL);
        _exit(untouched() ? 0 : 11);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) fail("fork");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 13;
}

/* 100 KB in one step, written from its far end: what an unprobed frame does */
static void overrun(void)
{
    volatile uint8_t here;
    volatile uint8_t *volatile far = &here - (SMALL + PAGE + (SMALL >> 1));
    *far = 0;
}

static int threads(void)
{
    int bad = 0, fits = 0, hits = 0;
    setup();
    for (size_t i = 0; i < CALLS; i++) {
        const int rc = in_small_thread(calls[i].run);
        fits += rc == 0;
        hits += rc == 10;
        if (rc == 10) printf("%s hits the guard page of 64 KB\n", calls[i].name);
        if (rc == 0 || rc == 10) continue;
        printf("%s: %s\n", calls[i].name, rc == 11 ? "it wrote beyond its stack" : "failed");
        bad = 1;
    }
    printf("%d calls: %d succeed, %d hit the guard page\n", (int)CALLS, fits, hits);
    return bad;
}

/* --- ty_parallel ------------------------------------------------------------------------------ */

/* Each of two threads takes one part: neither continues before the other has started. */
static ty_err sign_in_worker(void *ctx, size_t from, size_t to)
{
    (void)to;
    pthread_barrier_wait(ctx);
    ty_mldsa_sign_job jobs[9];
    uint8_t (*const sigs)[4627] = (uint8_t (*)[4627])(void *)(g.out);   /* never read */
    for (size_t i = 0; i < 9; i++) {
        jobs[i] = g.mldsa_sign_jobs[i];
        jobs[i].sig = from ? sigs[i] : g.mldsa_sigs[i];
    }
    return ty_mldsa_many_sign(jobs, 9, NULL);
}

static void workers(void)
{
#if defined(__GLIBC__)
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 2 * SMALL);
    if (pthread_setattr_default_np(&attr) != 0) fail("pthread_setattr_default_np");
    pthread_attr_destroy(&attr);
#endif
    pthread_barrier_t both;
    setup();
    alarm(120);   /* ends the test if there is only one thread, which would wait for ever */
    pthread_barrier_init(&both, NULL, 2);
    OK(ty_parallel(2, 1, 2, sign_in_worker, &both));
}

int main(int argc, char **argv)
{
    if (argc == 1) measure();
    else if (strcmp(argv[1], "--thread") == 0) return threads();
    else if (strcmp(argv[1], "--workers") == 0) workers();
    else if (strcmp(argv[1], "--overrun") == 0)
        return in_small_thread(overrun) == 11 && in_small_thread(nothing) == 0 ? 0 : 1;
    else return 2;
    return 0;
}
