#include "inspect_other.hpp"
#include "armor.hpp"
#include "key_kind.hpp"
#include "signature_form.hpp"
#include "tongyu/box.h"

#include <algorithm>

/* --- sealed files ----------------------------------------------- */

/* The decoded bytes of the complete lines of an armor in head. */
static Secret out_of_armor(const Secret &head)
{
    Secret out(head.size());
    ArmorReader reader;
    size_t n = 0, used = 0;
    const char *p = head.chars(), *const end = p + head.size();
    p = std::find(p, end, '\n');
    while (p < end) {
        const char *const line = p + 1, *const eol = std::find(line, end, '\n');
        if (eol == end) break;
        const size_t len =
            static_cast<size_t>(eol - line) - (eol > line && eol[-1] == '\r' ? 1 : 0);
        if (out.size() - used < ARMOR_BYTES ||
            reader.line(out.data() + used, n, line, len) != ArmorReader::BYTES)
            break;
        used += n;
        p = eol;
    }
    out.shrink(used);
    return out;
}

/* The length of the plaintext of a sealed file with `body` bytes after its header. */
static uint64_t plain_size(uint64_t body)
{
    constexpr uint64_t chunk = TY_BOX_CHUNK + TY_BOX_TAG;
    return body - (body + chunk - 1) / chunk * TY_BOX_TAG;
}

bool describe_sealed(Json &r, const Secret &head, long long size, const std::string &name)
{
    const bool armored = head.size() >= armor_begin.size() &&
                         std::equal(armor_begin.begin(), armor_begin.end(), head.chars());
    const Secret data = armored ? out_of_armor(head) : Secret(head.data(), head.size());
    if (!armored && !contains(Secret(data.data(), std::min<size_t>(data.size(), 7)), "TYBOX\r\n"))
        return false;
    ty_box_info info;
    const ty_err err = data.size() < TY_BOX_PREFIX ? TY_ERR_FORMAT
                                                   : ty_box_peek(&info, data.data(), TY_BOX_PREFIX);
    if (err == TY_ERR_FORMAT)
        throw Failure(EXIT_INPUT, name + ": a sealed file whose beginning is damaged",
                      "get the file again");
    check(err, name, "it may need a newer tongyu, or ask for more memory than is sensible");
    r["type"] = "sealed";
    r["kind"] = "sealed file";
    r["coding"] = armored ? "armor" : "binary";
    r["sealed_for"] = info.kind == TY_BOX_SM2 ? "keys" : "password";
    if (info.kind == TY_BOX_PASSWORD) r["kdf"] = "PBKDF2-HMAC-SM3";
    if (info.kind == TY_BOX_SCRYPT) {
        r["kdf"] = "scrypt";
        r["n"] = uint64_t(1) << info.costs.log_n;
        r["r"] = info.costs.r;
        r["p"] = info.costs.p;
        r["memory"] = info.memory;
    }
    if (info.kind != TY_BOX_SM2) r["iterations"] = info.iterations;
    if (data.size() < info.header_len)
        throw Failure(EXIT_INPUT, name + ": a sealed file, cut off in the header",
                      "get the file again");
    if (info.kind == TY_BOX_SM2) {
        Json ids = Json::array();
        for (size_t i = 0; i < info.recipients; i++)
            ids.push_back(to_hex(data.data() + 10 + i * TY_BOX_RECIPIENT, TY_BOX_ID));
        r["recipients"] = ids;
    }
    if (!armored && size >= static_cast<long long>(info.header_len + TY_BOX_TAG))
        r["plain_bytes"] = plain_size(static_cast<uint64_t>(size) - info.header_len);
    return true;
}

/* --- signatures ----------------------------------------------- */

bool describe_signature(Json &result, const Secret &data)
{
    SignatureForm sig;
    if (!sig.read(data)) return false;
    result["type"] = "signature";
    result["kind"] = sig.kind;
    result["form"] = sig.form;
    result["coding"] = sig.text ? "text" : "binary";
    result["bytes"] = sig.len;
    if (sig.r.empty()) return true;
    result["r"] = to_hex(sig.r.data(), sig.r.size());
    result["s"] = to_hex(sig.s.data(), sig.s.size());
    return true;
}
