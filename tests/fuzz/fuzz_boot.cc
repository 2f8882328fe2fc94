// The boot loader's parser, with any bytes as the contents of the slot. It reads nothing outside of
// them; the digest and the signatures that it finds are after the signed part, and do not overlap.
extern "C" {
#include "boot_image.h"
}
#include "fuzz/fuzz.hpp"
#include <algorithm>
#include <utility>

namespace {

void put(Bytes &out, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) out.push_back(static_cast<uint8_t>(value >> 8 * i));
}

void tlv(Bytes &out, unsigned type, const Bytes &value)
{
    put(out, type, 2);
    put(out, value.size(), 2);
    out.insert(out.end(), value.begin(), value.end());
}

Bytes area(unsigned magic, const Bytes &tlvs)
{
    Bytes out;
    put(out, magic, 2);
    put(out, tlvs.size() + 4, 2);
    out.insert(out.end(), tlvs.begin(), tlvs.end());
    return out;
}

Bytes signature(int alg, int set, size_t len)
{
    Bytes out = {static_cast<uint8_t>(alg), static_cast<uint8_t>(set), 0, 0};
    out.resize(4 + BOOT_KEY_ID + len, 0x5a);
    return out;
}

Bytes image(size_t body, const Bytes &protected_tlvs, const Bytes &free)
{
    Bytes out;
    put(out, 0x96f3b83d, 4);
    put(out, 0, 4);
    put(out, BOOT_ALIGN, 2);
    put(out, protected_tlvs.size(), 2);
    put(out, body, 4);
    out.resize(BOOT_ALIGN + body, 0);
    out.insert(out.end(), protected_tlvs.begin(), protected_tlvs.end());
    out.insert(out.end(), free.begin(), free.end());
    return out;
}

}   // namespace

std::vector<Bytes> fuzz_seeds()
{
    Bytes counter, free;
    tlv(counter, BOOT_TLV_COUNTER, {7, 0, 0, 0});
    tlv(free, BOOT_TLV_SHA256, Bytes(32, 1));
    tlv(free, BOOT_TLV_SIGNATURE, signature(BOOT_ML_DSA, 44, 20));
    tlv(free, BOOT_TLV_SIGNATURE, signature(BOOT_SM2, 0, 64));
    const Bytes good = image(16, area(0x6908, counter), area(0x6907, free));
    boot_image read;
    HOLDS(boot_image_read(&read, good.data(), good.size()) == BOOT_OK);
    HOLDS(read.counter == 7 && read.sm2.len == 64);
    HOLDS(read.ml_dsa.len == 20 && read.ml_dsa.set == 44);
    const Bytes no_body = image(0, area(0x6908, counter), area(0x6907, free));
    return {good, no_body, Bytes(good.begin(), good.begin() + 40)};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // The slot is data itself, which ends where a guard page or ASan's red zone begins.
    boot_image read;
    const boot_code code = boot_image_read(&read, data, size);
    HOLDS(code == BOOT_OK || (code >= BOOT_NO_IMAGE && code <= BOOT_ALGORITHM));
    if (code != BOOT_OK) return 0;
    HOLDS(read.body >= BOOT_HEADER_LEN && read.body % BOOT_ALIGN == 0);
    HOLDS(read.body + read.body_len < read.signed_len && read.signed_len < size);
    std::vector<std::pair<const uint8_t *, size_t>> found = {{read.digest, 32}};
    for (const boot_signature *s : {&read.ml_dsa, &read.sm2}) {
        if (!s->sig) continue;
        HOLDS(s->len > 0 && s->key_id + BOOT_KEY_ID == s->sig);
        found.push_back({s->key_id, BOOT_KEY_ID + s->len});
    }
    std::sort(found.begin(), found.end());
    size_t end = read.signed_len + 4;   // the area's own head is 4 bytes, and so is each TLV's
    for (const auto &[p, len] : found) {
        const size_t at = static_cast<size_t>(p - data);
        HOLDS(p >= data && at >= end + 4 && at <= size && len <= size - at);
        end = at + len;
    }
    return 0;
}
