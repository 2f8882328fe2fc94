/* An integer of the library with a destructor; errors are thrown as a Failure. */
#ifndef TONGYU_CLI_BIG_HPP
#define TONGYU_CLI_BIG_HPP

#include "fail.hpp"
#include "tongyu/mp.h"

#include <string>

class Big {
    ty_mp v{};

public:
    Big() = default;
    explicit Big(int64_t x) { ty_mp_set_i64(&v, x); }
    Big(const Big &o) { check(ty_mp_copy(&v, &o.v), "a copy"); }
    Big(Big &&o) noexcept { ty_mp_swap(&v, &o.v); }
    Big &operator=(Big o) noexcept { ty_mp_swap(&v, &o.v); return *this; }
    ~Big() { ty_mp_clear(&v); }
    operator ty_mp *() { return &v; }
    operator const ty_mp *() const { return &v; }

    int sign() const { return ty_mp_sign(&v); }
    size_t bits() const { return ty_mp_bits(&v); }
    std::string text(int base) const
    {
        std::string s(ty_mp_str_size(&v, base), '\0');
        size_t len = 0;
        check(ty_mp_get_str_vt(&s[0], s.size(), &len, &v, base), "the text of a number");
        s.resize(len);
        return s;
    }
};

#endif
