#include "hmac.hpp"

#include <algorithm>

Hmac::Hmac(const HashRow &row, const uint8_t *key, size_t key_len)
    : hash(row), inner(row.state), outer(row.state), now(row.state)
{
    Secret pad(hash.block);
    if (key_len > hash.block) {
        RunningHash h(hash);
        h(key, key_len);
        const Secret digest = h.final(hash.len);
        std::memcpy(pad.data(), digest.data(), digest.size());
    } else if (key_len > 0) {
        std::memcpy(pad.data(), key, key_len);
    }
    const auto begin = [&](Secret &state, uint8_t mask) {
        for (size_t i = 0; i < hash.block; i++) pad[i] ^= mask;
        hash.init(state.data());
        hash.update(state.data(), pad.data(), hash.block);
    };
    begin(inner, 0x36);
    begin(outer, 0x36 ^ 0x5c);
    std::memcpy(now.data(), inner.data(), hash.state);
}

void Hmac::final(uint8_t *mac)
{
    hash.final(mac, hash.len, now.data());
    std::memcpy(now.data(), outer.data(), hash.state);
    hash.update(now.data(), mac, hash.len);
    hash.final(mac, hash.len, now.data());
    std::memcpy(now.data(), inner.data(), hash.state);
}

static void put_counter(uint8_t c[4], uint32_t i)
{
    for (int k = 0; k < 4; k++) c[k] = static_cast<uint8_t>(i >> (24 - 8 * k));
}

void pbkdf2(Secret &out, const HashRow &hash, const Secret &password, const Secret &salt,
            uint32_t iterations)
{
    Hmac mac(hash, password.data(), password.size());
    Secret u(hash.len), t(hash.len);
    for (size_t at = 0, i = 1; at < out.size(); at += hash.len, i++) {
        uint8_t counter[4];
        put_counter(counter, static_cast<uint32_t>(i));
        mac(salt.data(), salt.size());
        mac(counter, sizeof counter);
        mac.final(u.data());
        std::memcpy(t.data(), u.data(), hash.len);
        for (uint32_t round = 1; round < iterations; round++) {
            mac(u.data(), hash.len);
            mac.final(u.data());
            for (size_t j = 0; j < hash.len; j++) t[j] ^= u[j];
        }
        std::memcpy(out.data() + at, t.data(), std::min(hash.len, out.size() - at));
    }
}

void hkdf(Secret &out, const HashRow &hash, const Secret &ikm, const Secret &salt,
          const Secret &info)
{
    Secret prk(hash.len), t(hash.len);
    Hmac extract(hash, salt.data(), salt.size());
    extract(ikm.data(), ikm.size());
    extract.final(prk.data());
    Hmac expand(hash, prk.data(), prk.size());
    uint8_t i = 1;
    for (size_t at = 0; at < out.size(); at += hash.len, i++) {
        if (at > 0) expand(t.data(), t.size());
        expand(info.data(), info.size());
        expand(&i, 1);
        expand.final(t.data());
        std::memcpy(out.data() + at, t.data(), std::min(hash.len, out.size() - at));
    }
}
