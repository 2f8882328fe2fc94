// Text that is accepted as an integer consists of digits of its radix, after an optional sign; the
// integer has their value, and is written without leading zeros. All other text is refused. The
// first byte gives the radix.
#include "fuzz/fuzz.hpp"
#include "tongyu/mp.h"

static const std::string digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

static size_t value(char c, size_t radix)
{
    if (radix <= 36 && c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
    return std::min(c ? digits.find(c) : std::string::npos, radix);   // radix: not a digit
}

std::vector<Bytes> fuzz_seeds()
{
    Bytes longest(700, '7');
    longest[0] = 8;
    return { text("\x0a-123456789012345678901234567890"),
             text("\x10"
                  "deadBEEF00000000000000001"),
             text("\x40+/zZ09"),
             longest,
             text("\x02"
                  "1111111111111111111111111111111111111111111111111111111111111111"),
             text("\x24+zZ0") };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const size_t radix = data[0] % 70;
    const char *in = (const char *)data + 1;
    const size_t len = size - 1;
    ty_mp x, y, m;
    for (ty_mp *v : {&x, &y, &m}) ty_mp_init(v);
    const ty_err err = ty_mp_set_str_vt(&x, in, len, (int)radix);
    if (radix < 2 || radix > 64) {
        HOLDS(err == TY_ERR_ARG);
        return 0;
    }
    const bool minus = len && in[0] == '-', sign = minus || (len && in[0] == '+' && radix < 63);
    bool good = len > (sign ? 1 : 0);
    uint64_t rest = 0;   // modulo a prime below 2^32
    for (size_t i = sign; i < len; i++) {
        good = good && value(in[i], radix) < radix;
        rest = (rest * radix + value(in[i], radix)) % 4294967291u;
    }
    HOLDS(err == (good ? TY_OK : TY_ERR_FORMAT));
    if (good) {
        std::string out(ty_mp_str_size(&x, (int)radix), 0);
        size_t out_len = 0;
        uint64_t got = 0;
        HOLDS(ty_mp_get_str_vt(&out[0], out.size(), &out_len, &x, (int)radix) == TY_OK &&
              out_len < out.size());
        HOLDS(ty_mp_set_str_vt(&y, out.data(), out_len, (int)radix) == TY_OK &&
              ty_mp_cmp(&x, &y) == 0);
        const size_t first = out[0] == '-';
        HOLDS(out_len == first + 1 || out[first] != '0');   // no zero in front
        HOLDS(ty_mp_sign(&x) == (out[first] == '0' ? 0 : first ? -1 : 1));
        HOLDS(minus || !first);
        ty_mp_set_u64(&m, 4294967291u);
        HOLDS(ty_mp_abs(&y, &x) == TY_OK && ty_mp_mod_vt(&y, &y, &m) == TY_OK &&
              ty_mp_get_u64(&got, &y) == TY_OK && got == rest);
    }
    for (ty_mp *v : {&x, &y, &m}) ty_mp_clear(v);
    return 0;
}
