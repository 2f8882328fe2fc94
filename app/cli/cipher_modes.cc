#include "cipher_modes.hpp"
#include "fail.hpp"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_wrap.h"
#include "tongyu/sm4_xts.h"

#include <algorithm>
#include <stdexcept>

const std::vector<ModeRow> &mode_rows()
{
    static const std::vector<ModeRow> rows = {
        {"sm4-cbc", Kind::Blocks, 16, 16, 16, 0, TY_SM4_CBC_ENCRYPT, TY_SM4_CBC_DECRYPT},
        {"sm4-ctr", Kind::Stream, 16, 16, 16, 0, TY_SM4_CTR, TY_SM4_CTR},
        {"sm4-gcm", Kind::Aead, 16, 1, 1024, 12},
        {"sm4-ccm", Kind::Aead, 16, 7, 13, 4},
        {"sm4-ocb", Kind::Aead, 16, 1, 15, 8},
        {"sm4-gcm-siv", Kind::Aead, 16, 12, 12, 16},
        {"sm4-xts-ieee", Kind::Xts, 32, 16, 16, 0},
        {"sm4-xts-gb", Kind::Xts, 32, 16, 16, 0},
        {"sm4-hctr", Kind::Wide, 32, 16, 16, 0},
        {"sm4-kw", Kind::Wrap, 16, 0, 0, 0},
        {"sm4-kwp", Kind::Wrap, 16, 0, 0, 0},
        {"sm4-cfb", Kind::Stream, 16, 16, 16, 0, TY_SM4_CFB_ENCRYPT, TY_SM4_CFB_DECRYPT},
        {"sm4-cfb8", Kind::Stream, 16, 16, 16, 0, TY_SM4_CFB8_ENCRYPT, TY_SM4_CFB8_DECRYPT},
        {"sm4-cfb1", Kind::Stream, 16, 16, 16, 0, TY_SM4_CFB1_ENCRYPT, TY_SM4_CFB1_DECRYPT},
        {"sm4-ofb", Kind::Stream, 16, 16, 16, 0, TY_SM4_OFB, TY_SM4_OFB},
        {"sm4-bc", Kind::Blocks, 16, 16, 16, 0, TY_SM4_BC_ENCRYPT, TY_SM4_BC_DECRYPT},
        {"sm4-ofbnlf", Kind::Blocks, 16, 16, 16, 0, TY_SM4_OFBNLF_ENCRYPT, TY_SM4_OFBNLF_DECRYPT},
        {"sm4-ecb", Kind::Blocks, 16, 0, 0, 0, TY_SM4_ECB_ENCRYPT, TY_SM4_ECB_DECRYPT},
    };
    return rows;
}

const ModeRow &mode_row(const std::string &name)
{
    const auto &rows = mode_rows();
    return *std::find_if(rows.begin(), rows.end(),
                         [&name](const ModeRow &r) { return r.name == name; });
}

[[noreturn]] static void not_verified(const std::string &name)
{
    throw Failure(EXIT_REFUSED, name + ": the tag does not verify",
                  "nothing was written; check key, IV, additional data and tag");
}

/* --- ECB to OFBNLF: one streaming object ------------------------------------------------------ */

static ty_sm4_pad pad_of(const std::string &name)
{
    return name == "pkcs7"     ? TY_SM4_PAD_PKCS7
           : name == "iso7816" ? TY_SM4_PAD_ISO7816
           : name == "x923"    ? TY_SM4_PAD_X923
                               : TY_SM4_PAD_NONE;
}

static uint64_t run_stream(const ModeRow &row, const ModeInput &input, Input &in, Output &out,
                           bool progress)
{
    Wiped<ty_sm4_key> key;
    Wiped<ty_sm4_stream> stream;
    ty_sm4_init(&key, input.key.data());
    const ty_sm4_pad pad = row.kind == Kind::Blocks ? pad_of(input.pad) : TY_SM4_PAD_NONE;
    /* a row that names no modes has 0 here, which is TY_SM4_ECB_ENCRYPT: no row decrypts with it */
    if (row.decrypt == TY_SM4_ECB_ENCRYPT) throw std::logic_error(row.name + " has no modes");
    const ty_sm4_mode mode = input.decrypt ? row.decrypt : row.encrypt;
    check(ty_sm4_start(&stream, mode, pad, input.iv.data(), &key), in.name());
    Secret buf(IO_CHUNK + 16);
    size_t n = 0;
    const uint64_t len = for_each_piece(in, progress, [&](const uint8_t *p, size_t piece) {
        check(ty_sm4_update(buf.data(), &n, p, piece, &stream), in.name());
        out.write(buf.data(), n);
    });
    if (ty_sm4_final(buf.data(), &n, &stream) != TY_OK)
        throw Failure(EXIT_INPUT,
                      in.name() + (input.decrypt ? ": not whole blocks, or not padded as expected"
                                                 : ": not whole blocks of 16 bytes"),
                      input.decrypt ? "check key, IV and padding" : "choose a padding with --pad");
    out.write(buf.data(), n);
    return len;
}

/* --- GCM, CCM, OCB ---------------------------------------------------------------------------- */

static uint64_t run_gcm(const ModeInput &input, Secret &tag, Input &in, Output &out, bool progress)
{
    Wiped<ty_sm4_gcm_key> key;
    Wiped<ty_sm4_gcm> stream;
    const auto step = [&](uint8_t *to, const uint8_t *from, size_t n) {
        check(input.decrypt ? ty_sm4_gcm_decrypt(to, from, n, &stream)
                            : ty_sm4_gcm_encrypt(to, from, n, &stream),
              in.name());
    };
    ty_sm4_gcm_init(&key, input.key.data());
    check(ty_sm4_gcm_start(&stream, input.iv.data(), input.iv.size(), &key), "the nonce");
    check(ty_sm4_gcm_aad(&stream, input.aad.data(), input.aad.size()), "the additional data");
    Secret buf(IO_CHUNK);
    const uint64_t len = for_each_piece(in, progress, [&](const uint8_t *p, size_t n) {
        step(buf.data(), p, n);
        out.write(buf.data(), n);
    });
    step(nullptr, nullptr, 0);   /* sets the direction of an empty message */
    if (!input.decrypt) check(ty_sm4_gcm_final(tag.data(), tag.size(), &stream), in.name());
    else if (ty_sm4_gcm_verify(tag.data(), tag.size(), &stream) != TY_OK) not_verified(in.name());
    return len;
}

/* CCM needs the length before the first byte, so a pipe is read to its end first. */
static uint64_t run_ccm(const ModeInput &input, Secret &tag, Input &in, Output &out, bool progress)
{
    const bool pipe = in.size() < 0;
    const Secret all =
        pipe ? in.read_all(WHOLE_MAX, "sm4-ccm from a pipe (a file is read in pieces)") : Secret();
    const uint64_t total = pipe ? all.size() : static_cast<uint64_t>(in.size());
    Wiped<ty_sm4_key> key;
    Wiped<ty_sm4_ccm> stream;
    const auto check_length = [&](ty_err err) {
        if (err == TY_ERR_SIZE)
            throw Failure(EXIT_INPUT, in.name() + ": changed while it was read", "try again");
        check(err, in.name());
    };
    ty_sm4_init(&key, input.key.data());
    const ty_err err = ty_sm4_ccm_start(&stream, input.iv.data(), input.iv.size(), input.aad.size(),
                                        total, tag.size(), &key);
    if (err == TY_ERR_SIZE)
        throw Failure(EXIT_INPUT,
                      in.name() + ": too long for sm4-ccm with an IV of " +
                          std::to_string(input.iv.size()) + " bytes",
                      "a shorter IV allows longer messages");
    check(err, in.name());
    check(ty_sm4_ccm_aad(&stream, input.aad.data(), input.aad.size()), "the additional data");
    Secret buf(std::max(IO_CHUNK, all.size()));
    const auto step = [&](const uint8_t *p, size_t n) {
        check_length(input.decrypt ? ty_sm4_ccm_decrypt(buf.data(), p, n, &stream)
                                   : ty_sm4_ccm_encrypt(buf.data(), p, n, &stream));
        out.write(buf.data(), n);
    };
    if (pipe) step(all.data(), all.size());
    else if (for_each_piece(in, progress, step) == 0) step(nullptr, 0);
    const ty_err end = input.decrypt ? ty_sm4_ccm_verify(tag.data(), tag.size(), &stream)
                                     : ty_sm4_ccm_final(tag.data(), tag.size(), &stream);
    if (end == TY_ERR_VERIFY) not_verified(in.name());
    check_length(end);
    return total;
}

static uint64_t run_ocb(const ModeInput &input, Secret &tag, Input &in, Output &out, bool progress)
{
    Wiped<ty_sm4_ocb_key> key;
    Wiped<ty_sm4_ocb> stream;
    Secret buf(IO_CHUNK + 16);
    size_t n = 0;
    const auto step = [&](const uint8_t *p, size_t piece) {
        check(input.decrypt ? ty_sm4_ocb_decrypt(buf.data(), &n, p, piece, &stream)
                            : ty_sm4_ocb_encrypt(buf.data(), &n, p, piece, &stream), in.name());
        out.write(buf.data(), n);
    };
    ty_sm4_ocb_init(&key, input.key.data());
    check(ty_sm4_ocb_start(&stream, input.iv.data(), input.iv.size(), tag.size(), &key),
          "the nonce");
    check(ty_sm4_ocb_aad(&stream, input.aad.data(), input.aad.size()), "the additional data");
    const uint64_t len = for_each_piece(in, progress, step);
    step(nullptr, 0);
    const ty_err err = input.decrypt
                           ? ty_sm4_ocb_verify(buf.data(), &n, tag.data(), tag.size(), &stream)
                           : ty_sm4_ocb_final(buf.data(), &n, tag.data(), tag.size(), &stream);
    if (err == TY_ERR_VERIFY) not_verified(in.name());
    check(err, in.name());
    out.write(buf.data(), n);
    return len;
}

/* --- modes that need the whole message -------------------------------------------------------- */

static uint64_t run_gcm_siv(const ModeInput &input, Secret &tag, Input &in, Output &out)
{
    Secret all = in.read_all(WHOLE_MAX, "sm4-gcm-siv, which needs all of a message at once");
    Wiped<ty_sm4_key> key;
    ty_sm4_init(&key, input.key.data());
    uint8_t *const p = all.data();
    const ty_err err = input.decrypt
                           ? ty_sm4_gcm_siv_open(p, p, all.size(), tag.data(), input.aad.data(),
                                                 input.aad.size(), input.iv.data(), &key)
                           : ty_sm4_gcm_siv_seal(p, tag.data(), p, all.size(), input.aad.data(),
                                                 input.aad.size(), input.iv.data(), &key);
    if (err == TY_ERR_VERIFY) not_verified(in.name());
    check(err, in.name());
    out.write(p, all.size());
    return all.size();
}

static uint64_t run_hctr(const ModeInput &input, Input &in, Output &out)
{
    Secret all = in.read_all(WHOLE_MAX, "sm4-hctr, which needs all of a message at once");
    if (all.size() < TY_SM4_HCTR_MIN)
        throw Failure(EXIT_INPUT, in.name() + ": shorter than 16 bytes, too short for sm4-hctr",
                      "use another mode");
    Wiped<ty_sm4_hctr_key> key;
    ty_sm4_hctr_init(&key, input.key.data());
    check((input.decrypt ? ty_sm4_hctr_decrypt : ty_sm4_hctr_encrypt)(
              all.data(), all.data(), all.size(), input.iv.data(), &key),
          in.name());
    out.write(all.data(), all.size());
    return all.size();
}

static uint64_t run_wrap(const ModeRow &row, const ModeInput &input, Input &in, Output &out)
{
    constexpr size_t KEY_MAX = 64 * 1024;
    Secret all =
        in.read_all(KEY_MAX + 16, "key wrap (it is for keys; for files use tongyu encrypt)");
    const bool padded = row.name == "sm4-kwp";
    Wiped<ty_sm4_key> key;
    ty_sm4_init(&key, input.key.data());
    Secret made(all.size() + 16);
    size_t n = 0;
    ty_err err;
    if (input.decrypt) {
        n = all.size() - 8;
        err = padded ? ty_sm4_kwp_unwrap(made.data(), &n, all.data(), all.size(), &key)
                     : ty_sm4_kw_unwrap(made.data(), all.data(), all.size(), &key);
    } else {
        n = padded ? TY_SM4_KWP_LEN(all.size()) : all.size() + 8;
        err =
            (padded ? ty_sm4_kwp_wrap : ty_sm4_kw_wrap)(made.data(), all.data(), all.size(), &key);
    }
    if (err == TY_ERR_VERIFY)
        throw Failure(EXIT_REFUSED, in.name() + ": not wrapped under this key, or damaged",
                      "nothing was written");
    if (err == TY_ERR_ARG)
        throw Failure(EXIT_INPUT,
                      in.name() + ": " + std::to_string(all.size()) + " bytes cannot be " +
                          (input.decrypt ? "a wrapped key" : "wrapped"),
                      input.decrypt ? "check that it is the right file"
                      : padded      ? "give one byte or more"
                                    : "sm4-kw takes 16, 24, 32, ...; use sm4-kwp");
    check(err, in.name());
    out.write(made.data(), n);
    return all.size();
}

/* --- XTS -------------------------------------------------------------------------------------- */

/* The input is one data unit, or a sequence of sectors, which are read in pieces. */
static uint64_t run_xts(const ModeRow &row, const ModeInput &input, Input &in, Output &out,
                        bool progress)
{
    Wiped<ty_sm4_xts_key> key;
    if (ty_sm4_xts_init(&key, input.key.data()) == TY_ERR_KEY)
        throw Failure(EXIT_USAGE, "the two halves of the key are the same",
                      "give " + row.name + " 32 random bytes");
    const bool gb = row.name == "sm4-xts-gb";
    if (!input.sector_len) {
        Secret all =
            in.read_all(TY_SM4_XTS_MAX, row.name + " as one data unit (see --sector-size)");
        if (all.size() < TY_SM4_XTS_MIN)
            throw Failure(EXIT_INPUT,
                          in.name() + ": shorter than 16 bytes, too short for " + row.name,
                          "use another mode");
        const auto f = gb ? (input.decrypt ? ty_sm4_xts_gb_decrypt : ty_sm4_xts_gb_encrypt)
                          : (input.decrypt ? ty_sm4_xts_ieee_decrypt : ty_sm4_xts_ieee_encrypt);
        check(f(all.data(), all.data(), all.size(), input.iv.data(), &key), in.name());
        out.write(all.data(), all.size());
        return all.size();
    }
    const auto f =
        gb ? (input.decrypt ? ty_sm4_xts_gb_decrypt_sectors : ty_sm4_xts_gb_encrypt_sectors)
           : (input.decrypt ? ty_sm4_xts_ieee_decrypt_sectors : ty_sm4_xts_ieee_encrypt_sectors);
    const size_t len = input.sector_len, at_once = std::max<size_t>(1, IO_CHUNK / len);
    Secret buf(at_once * len);
    Progress bar(in.name(), in.size(), progress);
    uint64_t total = 0;
    for (size_t n; (n = in.read(buf.data(), buf.size())) > 0; total += n) {
        if (n % len)
            throw Failure(EXIT_INPUT,
                          in.name() + ": not whole sectors of " + std::to_string(len) + " bytes",
                          "check --sector-size");
        check(f(buf.data(), buf.data(), n / len, len, input.sector + total / len, &key), in.name());
        out.write(buf.data(), n);
        bar.add(n);
    }
    return total;
}

uint64_t run_mode(const ModeRow &row, ModeInput &input, Input &in, Output &out, bool progress)
{
    switch (row.kind) {
    case Kind::Xts:  return run_xts(row, input, in, out, progress);
    case Kind::Wide: return run_hctr(input, in, out);
    case Kind::Wrap: return run_wrap(row, input, in, out);
    case Kind::Aead:
        if (row.name == "sm4-gcm") return run_gcm(input, input.tag, in, out, progress);
        if (row.name == "sm4-ccm") return run_ccm(input, input.tag, in, out, progress);
        if (row.name == "sm4-ocb") return run_ocb(input, input.tag, in, out, progress);
        if (row.name == "sm4-gcm-siv") return run_gcm_siv(input, input.tag, in, out);
        throw std::logic_error(row.name + " has no code");
    default: return run_stream(row, input, in, out, progress);
    }
}
