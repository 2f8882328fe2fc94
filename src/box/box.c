/* Sealed files (docs/file-format.md). The construction is STREAM (Hoang, Reyhanitabar, Rogaway,
 * Vizar, CRYPTO 2015) over SM4-GCM with a different key for every file, bound to a header that is
 * itself authenticated by HMAC-SM3. */
#include "tongyu/box.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "kdf/scrypt.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"

#include <string.h>

/* The CR LF reveals a transfer that converted line ends; the last byte is the version of the
 * format. */
static const uint8_t magic[8] = { 'T', 'Y', 'B', 'O', 'X', '\r', '\n', 1 };
enum { VERSION = 7 };

/* Labels separate the uses of one key. None is a prefix of another. */
static const char label_header[] = "tongyu box 1 header", label_payload[] = "tongyu box 1 payload",
                  label_recipient[] = "tongyu box 1 recipient";

/* Offsets in a header, and lengths. */
enum {
    KIND = 8,
    COUNT = 9,
    BODY = 10,
    ITERATIONS = 10,
    LOG_N = 10,
    COST_R = 11,
    COST_P = 12,
    ZERO = 13,
    SALT = 14,
    SALT_LEN = 16,
    MAC_LEN = 32
};
enum { PASSWORD_HEADER = SALT + SALT_LEN + MAC_LEN, FILE_KEY = 32 };

/* Offsets in a nonce, after the bytes derived from the header: the number of the chunk, and 1 on
 * the last. */
enum { NUMBER = 7, LAST = 11 };

/* ty_box.mode */
enum { IDLE = 0, SEALING = 0x5ea1, OPENING = 0x09e2 };

static void label(ty_hmac_sm3 *h, const char *text)
{
    ty_hmac_sm3_update(h, (const uint8_t *)text, strlen(text));
}

/* mac = HMAC(file key, label || header without its MAC); payload key and nonce from HMAC(file key,
 * label || mac), so that they depend on every bit of the header. HMAC-SM3 is collision-resistant,
 * hence the MAC also commits to the file key: no file opens under two of them, which GCM alone
 * would not prevent. */
static void derive_keys(ty_box *b, uint8_t mac[MAC_LEN], const uint8_t file_key[FILE_KEY],
                        const uint8_t *header, size_t header_len)
{
    ty_hmac_sm3 h;
    uint8_t okm[32];
    ty_hmac_sm3_init(&h, file_key, FILE_KEY);
    label(&h, label_header);
    ty_hmac_sm3_update(&h, header, header_len - MAC_LEN);
    ty_hmac_sm3_final(mac, &h);
    label(&h, label_payload);
    ty_hmac_sm3_update(&h, mac, MAC_LEN);
    ty_hmac_sm3_final(okm, &h);
    memset(b, 0, sizeof *b);
    memcpy(b->key, okm, sizeof b->key);
    memcpy(b->nonce, okm + sizeof b->key, NUMBER);
    ty_wipe(okm, sizeof okm);
    ty_wipe(&h, sizeof h);
}

static void seal_header(ty_box *b, uint8_t *header, size_t header_len,
                        const uint8_t file_key[FILE_KEY])
{
    derive_keys(b, header + header_len - MAC_LEN, file_key, header, header_len);
    b->mode = SEALING;
}

static ty_err open_header(ty_box *b, const uint8_t *header, size_t header_len,
                          const uint8_t file_key[FILE_KEY])
{
    uint8_t mac[MAC_LEN];
    derive_keys(b, mac, file_key, header, header_len);
    int right = ty_equal(mac, header + header_len - MAC_LEN, MAC_LEN);
    TY_PUBLIC(&right, sizeof right);   /* the verdict */
    /* the computed MAC would authenticate this header, which may be forged */
    ty_wipe(mac, sizeof mac);
    if (!right) {
        ty_wipe(b, sizeof *b);
        return TY_ERR_VERIFY;
    }
    b->mode = OPENING;
    return TY_OK;
}

/* --- headers ---------------------------------------------------------------------------------- */

static size_t pub_header_len(size_t recipients)
{
    return BODY + recipients * TY_BOX_RECIPIENT + MAC_LEN;
}

static void put_prefix(uint8_t *header, ty_box_kind kind, size_t count)
{
    memcpy(header, magic, sizeof magic);
    header[KIND] = (uint8_t)kind;
    header[COUNT] = (uint8_t)count;
}

/* *header_len, the room for a header, becomes the length that is needed, on errors too. */
static ty_err take_room(size_t *header_len, size_t need)
{
    const size_t room = *header_len;
    *header_len = need;
    return room < need ? TY_ERR_SIZE : TY_OK;
}

void ty_box_recipient_id(uint8_t id[TY_AT_LEAST(8)], const ty_sm2_pub *pub)
{
    ty_sm3 h;
    uint8_t point[65], digest[32];
    ty_sm2_pub_get(point, pub);
    ty_sm3_init(&h);
    ty_sm3_update(&h, (const uint8_t *)label_recipient, sizeof label_recipient - 1);
    ty_sm3_update(&h, point, sizeof point);
    ty_sm3_final(digest, &h);
    memcpy(id, digest, TY_BOX_ID);
}

size_t ty_box_scrypt_memory(ty_box_costs c)
{
    if (c.log_n < 1 || c.log_n > 30) return 0;
    const size_t memory = ty_scrypt_memory((uint64_t)1 << c.log_n, c.r, c.p);
    return memory <= TY_BOX_MEMORY_MAX ? memory : 0;
}

/* 128 N r <= TY_BOX_MEMORY_MAX < 2^31 and p < 2^8, so that N r p < 2^32. */
static ty_err peek_scrypt(ty_box_info *info, const uint8_t *in)
{
    const ty_box_costs c = { in[LOG_N], in[COST_R], in[COST_P] };
    if (in[ZERO] != 0 || c.log_n == 0 || c.r == 0 || c.p == 0) return TY_ERR_FORMAT;
    const size_t memory = ty_box_scrypt_memory(c);
    if (memory == 0) return TY_ERR_UNSUPPORTED;
    info->kind = TY_BOX_SCRYPT;
    info->header_len = PASSWORD_HEADER;
    info->iterations = ((uint32_t)1 << c.log_n) * c.r * c.p;
    info->memory = memory;
    info->costs = c;
    return TY_OK;
}

ty_err ty_box_peek(ty_box_info *info, const uint8_t *in, size_t in_len)
{
    memset(info, 0, sizeof *info);
    if (in_len < TY_BOX_PREFIX || memcmp(in, magic, VERSION) != 0) return TY_ERR_FORMAT;
    if (in[VERSION] != magic[VERSION]) return TY_ERR_UNSUPPORTED;
    const unsigned count = in[COUNT];
    if (in[KIND] == TY_BOX_PASSWORD && count == 0) {
        info->iterations = ty_get32be(in + ITERATIONS);
        if (info->iterations == 0) return TY_ERR_FORMAT;
        info->kind = TY_BOX_PASSWORD;
        info->header_len = PASSWORD_HEADER;
        return TY_OK;
    }
    if (in[KIND] == TY_BOX_SCRYPT && count == 0) return peek_scrypt(info, in);
    if (in[KIND] == TY_BOX_SM2 && count >= 1 && count <= TY_BOX_RECIPIENTS_MAX) {
        info->kind = TY_BOX_SM2;
        info->recipients = count;
        info->header_len = pub_header_len(count);
        return TY_OK;
    }
    return TY_ERR_FORMAT;
}

static ty_err peek_whole(ty_box_info *info, const uint8_t *header, size_t header_len,
                         ty_box_kind kind)
{
    const ty_err err = ty_box_peek(info, header, header_len);
    if (err != TY_OK) return err;
    if (info->kind != kind) return TY_ERR_ARG;
    return info->header_len == header_len ? TY_OK : TY_ERR_FORMAT;
}

/* --- for a password --------------------------------------------------------------------------- */

/* Builds and seals the header for a password, from its costs, 4 bytes, and its salt. */
static void seal_for_password(ty_box *b, uint8_t *header, ty_box_kind kind, const uint8_t costs[4],
                              const uint8_t salt[SALT_LEN], const uint8_t file_key[FILE_KEY])
{
    put_prefix(header, kind, 0);
    memcpy(header + ITERATIONS, costs, 4);
    memcpy(header + SALT, salt, SALT_LEN);
    seal_header(b, header, PASSWORD_HEADER, file_key);
}

ty_err ty_box_seal_password(ty_box *b, uint8_t *header, size_t *header_len, const void *password,
                            size_t password_len, uint32_t iterations, const ty_rng *rng)
{
    uint8_t file_key[FILE_KEY], salt[SALT_LEN], costs[4];
    memset(b, 0, sizeof *b);
    if (iterations == 0) return TY_ERR_ARG;
    ty_err err = take_room(header_len, PASSWORD_HEADER);
    if (err != TY_OK) return err;
    if (rng->fill(rng->ctx, salt, sizeof salt) != TY_OK) return TY_ERR_RNG;
    ty_put32be(costs, iterations);
    err = ty_pbkdf2_sm3(file_key, sizeof file_key, password, password_len, salt, sizeof salt,
                        iterations);
    if (err == TY_OK) seal_for_password(b, header, TY_BOX_PASSWORD, costs, salt, file_key);
    ty_wipe(file_key, sizeof file_key);
    return err;
}

ty_err ty_box_open_password(ty_box *b, const uint8_t *header, size_t header_len,
                            const void *password, size_t password_len, uint32_t max_iterations)
{
    uint8_t file_key[FILE_KEY];
    ty_box_info info;
    memset(b, 0, sizeof *b);
    ty_err err = peek_whole(&info, header, header_len, TY_BOX_PASSWORD);
    if (err != TY_OK) return err;
    if (info.iterations > max_iterations) return TY_ERR_UNSUPPORTED;
    err = ty_pbkdf2_sm3(file_key, sizeof file_key, password, password_len, header + SALT, SALT_LEN,
                        info.iterations);
    if (err == TY_OK) err = open_header(b, header, header_len, file_key);
    ty_wipe(file_key, sizeof file_key);
    return err;
}

static ty_err scrypt(uint8_t file_key[FILE_KEY], const void *password, size_t password_len,
                     const uint8_t *salt, ty_box_costs c, void *memory)
{
    return ty_scrypt(file_key, FILE_KEY, password, password_len, salt, SALT_LEN,
                     (uint64_t)1 << c.log_n, c.r, c.p, memory);
}

ty_err ty_box_seal_scrypt(ty_box *b, uint8_t *header, size_t *header_len, const void *password,
                          size_t password_len, ty_box_costs c, void *memory, size_t memory_len,
                          const ty_rng *rng)
{
    uint8_t file_key[FILE_KEY], salt[SALT_LEN];
    const uint8_t costs[4] = { c.log_n, c.r, c.p, 0 };
    const size_t need = ty_box_scrypt_memory(c);
    memset(b, 0, sizeof *b);
    if (need == 0) return TY_ERR_ARG;
    ty_err err = take_room(header_len, PASSWORD_HEADER);
    if (err != TY_OK) return err;
    if (memory_len < need) return TY_ERR_SIZE;
    if (rng->fill(rng->ctx, salt, sizeof salt) != TY_OK) return TY_ERR_RNG;
    err = scrypt(file_key, password, password_len, salt, c, memory);
    if (err == TY_OK) seal_for_password(b, header, TY_BOX_SCRYPT, costs, salt, file_key);
    ty_wipe(file_key, sizeof file_key);
    ty_wipe_below_8k();
    return err;
}

ty_err ty_box_open_scrypt(ty_box *b, const uint8_t *header, size_t header_len, const void *password,
                          size_t password_len, void *memory, size_t memory_len)
{
    uint8_t file_key[FILE_KEY];
    ty_box_info info;
    memset(b, 0, sizeof *b);
    ty_err err = peek_whole(&info, header, header_len, TY_BOX_SCRYPT);
    if (err != TY_OK) return err;
    if (memory_len < info.memory) return TY_ERR_UNSUPPORTED;
    err = scrypt(file_key, password, password_len, header + SALT, info.costs, memory);
    if (err == TY_OK) err = open_header(b, header, header_len, file_key);
    ty_wipe(file_key, sizeof file_key);
    ty_wipe_below_8k();
    return err;
}

/* --- for public keys -------------------------------------------------------------------------- */

ty_err ty_box_seal_pub(ty_box *b, uint8_t *header, size_t *header_len, const ty_sm2_pub *pubs,
                       size_t pubs_len, const ty_rng *rng)
{
    uint8_t file_key[FILE_KEY];
    memset(b, 0, sizeof *b);
    if (pubs_len < 1 || pubs_len > TY_BOX_RECIPIENTS_MAX) return TY_ERR_ARG;
    ty_err err = take_room(header_len, pub_header_len(pubs_len));
    if (err != TY_OK) return err;
    put_prefix(header, TY_BOX_SM2, pubs_len);
    if (rng->fill(rng->ctx, file_key, sizeof file_key) != TY_OK) err = TY_ERR_RNG;
    for (size_t i = 0; err == TY_OK && i < pubs_len; i++) {
        uint8_t *entry = header + BODY + i * TY_BOX_RECIPIENT;
        ty_box_recipient_id(entry, &pubs[i]);
        err = ty_sm2_encrypt(entry + TY_BOX_ID, file_key, sizeof file_key, TY_SM2_C1C3C2, &pubs[i],
                             rng);
    }
    if (err == TY_OK) seal_header(b, header, *header_len, file_key);
    else ty_wipe(header, *header_len);
    ty_wipe(file_key, sizeof file_key);
    return err;
}

/* The first entry with this identifier at or after number i, or the number of entries. */
static size_t find_recipient(const uint8_t *header, size_t recipients, size_t i,
                             const uint8_t id[TY_BOX_ID])
{
    while (i < recipients && memcmp(header + BODY + i * TY_BOX_RECIPIENT, id, TY_BOX_ID) != 0) i++;
    return i;
}

int ty_box_is_for(const uint8_t *header, size_t header_len, const ty_sm2_pub *pub)
{
    uint8_t id[TY_BOX_ID];
    ty_box_info info;
    if (peek_whole(&info, header, header_len, TY_BOX_SM2) != TY_OK) return 0;
    ty_box_recipient_id(id, pub);
    return find_recipient(header, info.recipients, 0, id) < info.recipients;
}

ty_err ty_box_open_key(ty_box *b, const uint8_t *header, size_t header_len, const ty_sm2_key *key)
{
    uint8_t file_key[FILE_KEY], id[TY_BOX_ID];
    ty_box_info info;
    memset(b, 0, sizeof *b);
    ty_err err = peek_whole(&info, header, header_len, TY_BOX_SM2);
    if (err != TY_OK) return err;
    ty_box_recipient_id(id, &key->pub);
    err = TY_ERR_KEY;
    /* Two keys may share an identifier, though finding such keys takes work; so try every entry
     * that has it. */
    for (size_t i = 0; err != TY_OK; i++) {
        i = find_recipient(header, info.recipients, i, id);
        if (i == info.recipients) break;
        const uint8_t *sealed = header + BODY + i * TY_BOX_RECIPIENT + TY_BOX_ID;
        err = ty_sm2_decrypt(file_key, sealed, TY_BOX_RECIPIENT - TY_BOX_ID, TY_SM2_C1C3C2, key);
        if (err == TY_OK) err = open_header(b, header, header_len, file_key);
        else err = TY_ERR_VERIFY;
    }
    ty_wipe(file_key, sizeof file_key);
    return err;
}

/* --- chunks ----------------------------------------------------------------------------------- */

/* 1 if the chunk has the right length: all are full except the last, which is empty only if the
 * file is. So a file has only one division into chunks. */
static int fits(const ty_box *b, size_t plain_len, int last)
{
    if (!last) return plain_len == TY_BOX_CHUNK;
    return plain_len <= TY_BOX_CHUNK && (plain_len > 0 || ty_get32be(b->nonce + NUMBER) == 0);
}

static ty_err die(ty_box *b, ty_err err)
{
    ty_wipe(b, sizeof *b);
    return err;
}

/* Sets up nonce and key of a chunk; refuses one that is not the last if there is no number for the
 * next. */
static ty_err prepare(ty_box *b, ty_sm4_gcm_key *gcm, int last)
{
    if (!last && ty_get32be(b->nonce + NUMBER) == UINT32_MAX) return die(b, TY_ERR_SIZE);
    b->nonce[LAST] = last ? 1 : 0;
    /* Set up again for each chunk: a thousandth of the work, and ty_box stays small and may be
     * moved. */
    ty_sm4_gcm_init(gcm, b->key);
    return TY_OK;
}

static ty_err finish(ty_box *b, ty_sm4_gcm_key *gcm, ty_err err, int last)
{
    ty_wipe(gcm, sizeof *gcm);
    if (err != TY_OK || last) return die(b, err);
    ty_put32be(b->nonce + NUMBER, ty_get32be(b->nonce + NUMBER) + 1);
    return TY_OK;
}

ty_err ty_box_seal(ty_box *b, uint8_t *out, const uint8_t *in, size_t in_len, int last)
{
    ty_sm4_gcm_key gcm;
    if (b->mode != SEALING) return TY_ERR_STATE;
    if (!fits(b, in_len, last)) return TY_ERR_ARG;
    ty_err err = prepare(b, &gcm, last);
    if (err != TY_OK) return err;
    err = ty_sm4_gcm_seal(out, out + in_len, TY_BOX_TAG, in, in_len, NULL, 0, b->nonce,
                          sizeof b->nonce, &gcm);
    return finish(b, &gcm, err, last);
}

ty_err ty_box_open(ty_box *b, uint8_t *out, const uint8_t *in, size_t in_len, int last)
{
    ty_sm4_gcm_key gcm;
    if (b->mode != OPENING) return TY_ERR_STATE;
    if (in_len < TY_BOX_TAG || !fits(b, in_len - TY_BOX_TAG, last)) return die(b, TY_ERR_FORMAT);
    ty_err err = prepare(b, &gcm, last);
    if (err != TY_OK) return err;
    const size_t len = in_len - TY_BOX_TAG;
    err = ty_sm4_gcm_open(out, in, len, in + len, TY_BOX_TAG, NULL, 0, b->nonce, sizeof b->nonce,
                          &gcm);
    return finish(b, &gcm, err, last);
}
