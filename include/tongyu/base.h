/* Tongyu: what every other header needs: errors, wiping, randomness as an argument, CPU tiers.
 * C11 to C++20; nothing here allocates, and nothing has to be initialised. */
#ifndef TONGYU_BASE_H
#define TONGYU_BASE_H

#include <stddef.h>
#include <stdint.h>

#define TY_VERSION_MAJOR  0
#define TY_VERSION_MINOR  1
#define TY_VERSION_PATCH  0
#define TY_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#  define TY_API        __attribute__((visibility("default")))
#  define TY_MUST_CHECK __attribute__((warn_unused_result))
#else
#  define TY_API
#  define TY_MUST_CHECK
#endif

/* An array parameter of at least n elements: checked by C compilers, plain in C++. */
#if defined(__cplusplus)
#  define TY_AT_LEAST(n) n
extern "C" {
#else
#  define TY_AT_LEAST(n) static n
#endif

/* The one error type: docs/architecture.md says what each means everywhere. After an error an
 * output buffer is untouched or zeroed; where a part of the result may remain, the function's
 * comment says so. */
typedef enum ty_err {
    TY_OK              = 0,
    TY_ERR_ARG         = -1,  /* an argument is outside its documented range, or too short */
    TY_ERR_MEM         = -2,  /* out of memory */
    /* malformed or non-canonical encoding, or one of a wrong length */
    TY_ERR_FORMAT      = -3,
    TY_ERR_VERIFY      = -4,  /* a signature, tag or checksum does not verify */
    TY_ERR_RNG         = -5,  /* the random source failed */
    /* well-formed, but an algorithm or parameter this library does not have */
    TY_ERR_UNSUPPORTED = -6,
    /* longer than a standard allows, or an output buffer of the wrong size */
    TY_ERR_SIZE        = -7,
    /* not a valid key: scalar or coordinate out of range, point not on the curve */
    TY_ERR_KEY         = -8,
    TY_ERR_IO          = -9,  /* a file operation failed; errno says why */
    TY_ERR_STATE       = -10, /* calls on a context are in the wrong order */
    /* the machine computed an impossible result: nothing was revealed, try another machine */
    TY_ERR_FAULT       = -11,
    TY_ERR_NO_INVERSE  = -12  /* a number and a modulus have a common factor */
} ty_err;

/* ty_err_text: a phrase in English, without a full stop; "unknown error" for a value not in ty_err.
 * Never NULL. */
TY_API const char *ty_err_text(ty_err err);

/* ty_version: "major.minor.patch" of the library that is running (compare with
 * TY_VERSION_STRING). */
TY_API const char *ty_version(void);

/* ty_wipe: p[0..len) = 0, which no compiler optimises away.   p may be NULL when len is 0 */
TY_API void ty_wipe(void *p, size_t len);

/* ty_equal: 1 if a[0..len) and b[0..len) hold the same bytes, else 0.
 * time: depends on len only */
TY_API int ty_equal(const void *a, const void *b, size_t len);

/* Randomness is an argument. fill writes len bytes to out and returns TY_OK, or returns an error,
 * and then the caller fails with TY_ERR_RNG. ty_rng_system in <tongyu/os.h> is the operating
 * system's source. */
typedef struct ty_rng {
    ty_err (*fill)(void *ctx, uint8_t *out, size_t len);
    void *ctx;
} ty_rng;

/* --- CPU tiers -------------------------------------------------------------------------------- */

/* Every family of kernels has tiers, from portable C to the newest instructions; the best one that
 * the CPU can run is chosen automatically. These calls are for tests and measurements. */
typedef struct ty_tier_row {
    const char *family;  /* "sm4", "sm3", "sm2", ... */
    const char *tier;    /* "c", "c64", "aesni", "avx2", "gfni", ... */
    int runs;            /* 1 if this CPU, under the current limit, can run it */
    int chosen;          /* 1 if it is the one in use for new keys and calls */
} ty_tier_row;

/* ty_tier_list: fills rows[0..rows_len) with the families and tiers built into the library, weakest
 * first in each family; returns how many there are (which may be more than rows_len). */
TY_API size_t ty_tier_list(ty_tier_row *rows, size_t rows_len);

/* ty_tier_level: the name of the i-th level that ty_tier_limit takes, weakest first; NULL if i is
 * past the end. */
TY_API const char *ty_tier_level(size_t i);

/* ty_tier_limit: from now on use nothing above the named level ("c", "c64", "aesni", "avx2",
 * "gfni", ...); NULL lifts the limit. Keys that exist already keep the tier they were made for. For
 * tests and measurements; no other thread may use the library during the call.
 *   err    TY_ERR_ARG: no such level
 *          TY_ERR_UNSUPPORTED: this CPU lacks it
 *          the limit is unchanged in both cases */
TY_API TY_MUST_CHECK ty_err ty_tier_limit(const char *name);

#if defined(__cplusplus)
}
#endif
#endif
