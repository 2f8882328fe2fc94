/* Tongyu: sealed files (.ty): a stream of any length, encrypted and authenticated, for a password
 * or for SM2 public keys.
 *
 * A file is a header and then chunks of 64 KiB, each with its own tag (docs/file-format.md has
 * every byte). Memory is constant; no chunk's plaintext is released before its tag verifies;
 * truncating, reordering, repeating, extending or altering a file is detected. What is not hidden:
 * the length, the kind, and, from anyone who has their public keys, the recipients. What is not
 * proved: who sealed it (sign the file for that).
 *
 *     write   ty_box_seal_password, ty_box_seal_scrypt or ty_box_seal_pub gives the header; then
 *             ty_box_seal for each chunk, last = 1 on the last
 *     read    TY_BOX_PREFIX bytes to ty_box_peek, which returns the length of the header and its
 *             kind;
 *             ty_box_open_password, ty_box_open_scrypt or ty_box_open_key with the whole header;
 *             then ty_box_open for each chunk
 *
 * To know which chunk is the last, a caller reads one chunk ahead: it is the one that nothing
 * follows. A program that writes plaintext to a file must not give that file its name before
 * ty_box_open has accepted the last chunk. */
#ifndef TONGYU_BOX_H
#define TONGYU_BOX_H

#include "tongyu/base.h"
#include "tongyu/sm2.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* plaintext bytes in every chunk but the last, which has 0 to 65536 */
#define TY_BOX_CHUNK          65536
#define TY_BOX_TAG            16     /* a sealed chunk is this much longer */
#define TY_BOX_PREFIX         14     /* bytes ty_box_peek needs; every file is longer */
#define TY_BOX_RECIPIENTS_MAX 16
#define TY_BOX_ID             8      /* bytes of a recipient's identifier */
#define TY_BOX_RECIPIENT      (TY_BOX_ID + 32 + TY_SM2_OVERHEAD)
#define TY_BOX_HEADER_MAX     (10 + TY_BOX_RECIPIENTS_MAX * TY_BOX_RECIPIENT + 32)
#define TY_BOX_ITERATIONS     600000    /* advised iterations of PBKDF2: 0.2 s on a Zen 3 */
/* a sensible limit for files of unknown origin: about four seconds */
#define TY_BOX_ITERATIONS_MAX 10000000

/* The most memory, in bytes, that scrypt may need for a file. */
#define TY_BOX_MEMORY_MAX     (((size_t)1 << 30) + ((size_t)1 << 24))

typedef enum ty_box_kind { TY_BOX_PASSWORD = 1, TY_BOX_SM2 = 2, TY_BOX_SCRYPT = 3 } ty_box_kind;

/* The costs of scrypt: N = 2^log_n, r, p. {17, 8, 1} takes 128 MiB and about half a second. */
typedef struct ty_box_costs {
    uint8_t log_n, r, p;
} ty_box_costs;

typedef struct ty_box_info {
    ty_box_kind kind;
    size_t header_len;    /* of the whole header, at most TY_BOX_HEADER_MAX */
    /* what a password costs: iterations of PBKDF2, or scrypt's N r p; else 0 */
    uint32_t iterations;
    unsigned recipients;  /* TY_BOX_SM2: how many; else 0 */
    size_t memory;        /* TY_BOX_SCRYPT: bytes of memory that scrypt needs; else 0 */
    ty_box_costs costs;   /* TY_BOX_SCRYPT */
} ty_box_info;

/* A file being sealed or opened. The fields are private. It is zeroed if a function that starts a
 * file fails, and wiped after the last chunk and after any error of a chunk, except TY_ERR_STATE
 * and a wrong in_len of ty_box_seal; ty_wipe it if you stop before. */
typedef struct ty_box {
    uint8_t key[16];
    uint8_t nonce[12];  /* 7 bytes for the file, chunk number, 1 on the last chunk */
    uint32_t mode;
} ty_box;

/* --- Sealing ---------------------------------------------------------------------------------- */

/* ty_box_seal_password: start a file for a password. *header_len: in, the room at header
 * (TY_BOX_HEADER_MAX is always enough); out, the bytes written.
 *   in     iterations >= 1, TY_BOX_ITERATIONS is advised      rng gives the 16-byte salt
 *   err    TY_ERR_ARG (iterations 0)
 *          TY_ERR_SIZE (room; *header_len is then the room needed)
 *          TY_ERR_RNG: header untouched
 *   time   secret: password; public: its length, iterations */
TY_API TY_MUST_CHECK ty_err ty_box_seal_password(ty_box *b, uint8_t *header, size_t *header_len,
                                                 const void *password, size_t password_len,
                                                 uint32_t iterations, const ty_rng *rng);

/* ty_box_scrypt_memory: bytes of memory for these costs; 0 if they are invalid, or need more than
 * TY_BOX_MEMORY_MAX. */
TY_API size_t ty_box_scrypt_memory(ty_box_costs costs);

/* ty_box_seal_scrypt: as ty_box_seal_password, with scrypt, which makes guesses expensive in memory
 * as well.
 *   in     memory[memory_len], ty_box_scrypt_memory(costs) bytes at least, aligned as by malloc;
 *          wiped
 *   err    TY_ERR_ARG (costs)   TY_ERR_SIZE (memory, or room; *header_len is then the room
 *          needed)
 *          TY_ERR_RNG: header untouched
 *   time   secret: password, except that the addresses which scrypt reads depend on it; public: its
 *          length, costs */
TY_API TY_MUST_CHECK ty_err ty_box_seal_scrypt(ty_box *b, uint8_t *header, size_t *header_len,
                                               const void *password, size_t password_len,
                                               ty_box_costs costs, void *memory, size_t memory_len,
                                               const ty_rng *rng);

/* ty_box_seal_pub: start a file for 1 to TY_BOX_RECIPIENTS_MAX public keys; any one of the private
 * keys opens it.
 *   in     rng gives the 32-byte file key and the randomness of ty_sm2_encrypt
 *   err    TY_ERR_ARG (pubs_len)
 *          TY_ERR_SIZE (room; *header_len is then the room needed)
 *          TY_ERR_RNG, and TY_ERR_KEY and TY_ERR_FAULT of ty_sm2_encrypt: header zeroed
 *   time   secret: the file key; public: the public keys and their number */
TY_API TY_MUST_CHECK ty_err ty_box_seal_pub(ty_box *b, uint8_t *header, size_t *header_len,
                                            const ty_sm2_pub *pubs, size_t pubs_len,
                                            const ty_rng *rng);

/* ty_box_seal: the next chunk; out[in_len + TY_BOX_TAG].
 *   in     in_len == TY_BOX_CHUNK, or anything up to it when last is 1; an empty last chunk only
 *          for an empty file
 *   err    TY_ERR_ARG (in_len, or an overlap)
 *          TY_ERR_STATE (not started, or after the last chunk)
 *          TY_ERR_SIZE (more than 2^32 chunks, 256 TiB)
 *   alias  out == in, or apart */
TY_API TY_MUST_CHECK ty_err ty_box_seal(ty_box *b, uint8_t *out, const uint8_t *in, size_t in_len,
                                        int last);

/* --- Opening ---------------------------------------------------------------------------------- */

/* ty_box_peek: the kind of a file and its costs, from its first in_len >= TY_BOX_PREFIX bytes.
 * Nothing is authenticated yet.
 *   err    TY_ERR_FORMAT: not such a file
 *          TY_ERR_UNSUPPORTED: one of a later version, or one whose scrypt needs more than
 *          TY_BOX_MEMORY_MAX */
TY_API TY_MUST_CHECK ty_err ty_box_peek(ty_box_info *info, const uint8_t *in, size_t in_len);

/* ty_box_recipient_id: how a public key appears in a header: 8 bytes of a hash of it. */
TY_API void ty_box_recipient_id(uint8_t id[TY_AT_LEAST(8)], const ty_sm2_pub *pub);

/* ty_box_is_for: 1 if the header names pub as a recipient, else 0. Nothing is authenticated. */
TY_API int ty_box_is_for(const uint8_t *header, size_t header_len, const ty_sm2_pub *pub);

/* ty_box_open_password: b = ready to open the chunks after a header.
 *   in     header_len is ty_box_info.header_len exactly
 *   err    TY_ERR_VERIFY: wrong password, or the header is damaged
 *          TY_ERR_ARG: not sealed for a password
 *          TY_ERR_UNSUPPORTED: it has more than max_iterations (see ty_box_peek), or is of a later
 *          version
 *          TY_ERR_FORMAT: not such a header */
TY_API TY_MUST_CHECK ty_err ty_box_open_password(ty_box *b, const uint8_t *header,
                                                 size_t header_len, const void *password,
                                                 size_t password_len, uint32_t max_iterations);

/* ty_box_open_scrypt: the same for a file of kind TY_BOX_SCRYPT. Its cost is
 * ty_box_info.iterations: if that is too high, do not call this.
 *   in     memory[memory_len], ty_box_info.memory bytes at least, aligned as by malloc; wiped
 *   err    as ty_box_open_password; TY_ERR_UNSUPPORTED: memory_len is too small */
TY_API TY_MUST_CHECK ty_err ty_box_open_scrypt(ty_box *b, const uint8_t *header, size_t header_len,
                                               const void *password, size_t password_len,
                                               void *memory, size_t memory_len);

/* ty_box_open_key: b = ready to open the chunks after a header that names key as a recipient;
 * header_len as above.
 *   err    TY_ERR_KEY: not sealed for this key     TY_ERR_VERIFY: the header is damaged
 *          TY_ERR_ARG: not sealed for public keys     TY_ERR_FORMAT, TY_ERR_UNSUPPORTED as above */
TY_API TY_MUST_CHECK ty_err ty_box_open_key(ty_box *b, const uint8_t *header, size_t header_len,
                                            const ty_sm2_key *key);

/* ty_box_open: the next sealed chunk; out[in_len - TY_BOX_TAG].
 *   in     in_len == TY_BOX_CHUNK + TY_BOX_TAG, or from TY_BOX_TAG up to that when last is 1
 *   err    TY_ERR_VERIFY: damaged, out of order, or `last` is wrong: the file was cut off or
 *          extended; out is zeroed, and b cannot be used any more
 *          TY_ERR_FORMAT: a length that no sealed chunk has     TY_ERR_ARG: an overlap
 *          TY_ERR_STATE (not started, or after the last chunk or a failure)
 *          TY_ERR_SIZE (more than 2^32 chunks)
 *   alias  out == in, or apart */
TY_API TY_MUST_CHECK ty_err ty_box_open(ty_box *b, uint8_t *out, const uint8_t *in, size_t in_len,
                                        int last);

#if defined(__cplusplus)
}
#endif
#endif
