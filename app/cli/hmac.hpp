/* HMAC (RFC 2104), PBKDF2 and HKDF over any hash of the table. */
#ifndef TONGYU_CLI_HMAC_HPP
#define TONGYU_CLI_HMAC_HPP

#include "digest.hpp"

class Hmac {
    const HashRow &hash;
    Secret inner, outer, now;   /* the states after the inner and outer pad, and the current one */

public:
    Hmac(const HashRow &row, const uint8_t *key, size_t key_len);
    void operator()(const uint8_t *p, size_t n) { hash.update(now.data(), p, n); }
    void final(uint8_t *mac);   /* hash.len bytes; then another message may follow */
};

/* out.size() bytes of PBKDF2 (RFC 8018, 5.2) or of HKDF (RFC 5869), which gives at most 255 times
 * hash.len. */
void pbkdf2(Secret &out, const HashRow &hash, const Secret &password, const Secret &salt,
            uint32_t iterations);
void hkdf(Secret &out, const HashRow &hash, const Secret &ikm, const Secret &salt,
          const Secret &info);

#endif
