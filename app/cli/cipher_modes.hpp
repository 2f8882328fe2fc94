/* SM4's modes as the verb cipher runs them: a whole input through one mode into an output. */
#ifndef TONGYU_CLI_CIPHER_MODES_HPP
#define TONGYU_CLI_CIPHER_MODES_HPP

#include "io.hpp"
#include "tongyu/sm4.h"

#include <memory>
#include <string>
#include <vector>

/* The longest message of the modes that need all of it in memory. */
constexpr size_t WHOLE_MAX = 64 * 1024 * 1024;

enum class Kind {
    Blocks,     /* whole blocks, with optional padding */
    Stream,     /* any length */
    Xts,        /* one data unit, or sectors */
    Wide,       /* one message of 16 bytes or more, with a tweak */
    Aead,       /* with a tag */
    Wrap        /* key wrap: a key under another key, with a check */
};

/* A row of the table of modes; the table is what --alg offers. */
struct ModeRow {
    std::string name;
    Kind kind;
    size_t key_len, iv_min, iv_max;     /* in bytes; iv_max 0: no IV */
    size_t tag_min;                     /* shortest tag; 0: no tag */
    ty_sm4_mode encrypt = {}, decrypt = {};   /* of Blocks and Stream only */
};

const std::vector<ModeRow> &mode_rows();
const ModeRow &mode_row(const std::string &name);

/* Everything a mode may need. tag is read when decrypting, written when encrypting. */
struct ModeInput {
    bool decrypt = false;
    Secret key, iv, aad, tag;
    std::string pad = "pkcs7";
    uint32_t sector_len = 0;            /* XTS: 0 for one data unit */
    uint64_t sector = 0;                /* number of the first sector */
};

/* Encrypts or decrypts all of `in` into `out`; returns the number of bytes read. With Aead modes,
 * plaintext may be written before its tag is verified: `out` must hold it back until commit
 * (Output::HOLD). */
uint64_t run_mode(const ModeRow &row, ModeInput &input, Input &in, Output &out, bool progress);

#endif
