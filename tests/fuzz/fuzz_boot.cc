// The boot loader's parser: any bytes as what lies in the slot. It reads nothing outside (the slot
// is a block of its own), everything that it finds lies inside, in its order, and nothing twice.
extern "C" {
#include "boot_image.h"
}
#include "fuzz/fuzz.hpp"
#include <memory>

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

Bytes image(size_t body, const Bytes &kept, const Bytes &free)
{
    Bytes out;
    put(out, 0x96f3b83d, 4);
    put(out, 0, 4);
    put(out, BOOT_ALIGN, 2);
    put(out, kept.size(), 2);
    put(out, body, 4);
    out.resize(BOOT_ALIGN + body, 0);
    out.insert(out.end(), kept.begin(), kept.end());
    out.insert(out.end(), free.begin(), free.end());
    return out;
}

bool inside(const Bytes &slot, const uint8_t *base, const uint8_t *p, size_t len)
{
    return p >= base && len <= slot.size() && static_cast<size_t>(p - base) <= slot.size() - len;
}

}   // namespace

std::vector<Bytes> fuzz_seeds()
{
    Bytes kept, free;
    tlv(kept, BOOT_TLV_COUNTER, {7, 0, 0, 0});
    tlv(free, BOOT_TLV_SHA256, Bytes(32, 1));
    tlv(free, BOOT_TLV_SIGNATURE, signature(BOOT_ML_DSA, 44, 20));
    tlv(free, BOOT_TLV_SIGNATURE, signature(BOOT_SM2, 0, 64));
    const Bytes good = image(16, area(0x6908, kept), area(0x6907, free));
    boot_image read;
    HOLDS(boot_image_read(&read, good.data(), good.size()) == BOOT_OK);
    HOLDS(read.counter == 7 && read.ml_dsa.len == 20 && read.ml_dsa.set == 44 && read.sm2.len == 64);
    return {good, image(0, area(0x6908, kept), area(0x6907, free)), Bytes(good.begin(), good.begin() + 40)};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const std::unique_ptr<uint8_t[]> slot(new uint8_t[size]);   // so that a read outside is seen
    if (size) std::memcpy(slot.get(), data, size);
    const Bytes all(data, data + size);
    boot_image read;
    const boot_code code = boot_image_read(&read, slot.get(), size);
    HOLDS(code == BOOT_OK || (code >= BOOT_NO_IMAGE && code <= BOOT_ALGORITHM));
    if (code != BOOT_OK) return 0;
    HOLDS(read.body >= BOOT_HEADER_LEN && read.body % BOOT_ALIGN == 0);
    HOLDS(read.body + read.body_len < read.signed_len && read.signed_len < size);
    HOLDS(inside(all, slot.get(), read.digest, 32) && read.digest >= slot.get() + read.signed_len);
    for (const boot_signature *s : {&read.ml_dsa, &read.sm2}) {
        if (!s->sig) continue;
        HOLDS(inside(all, slot.get(), s->sig, s->len) && s->len > 0);
        HOLDS(s->key_id + BOOT_KEY_ID == s->sig && s->key_id > slot.get() + read.signed_len);
    }
    return 0;
}
