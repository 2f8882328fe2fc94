/* Compares the code in docs/partial-reduction.md with the library. one_page.sh extracts the code
 * from the page to page.h. */
#include "page.h"
#include "tongyu/ec_any.h"
#include "tongyu/os.h"
#include <stdio.h>
#include <string.h>

static element from_bytes(const uint8_t *in, size_t len)
{
    element z = { { 0 } };
    for (size_t i = 0; i < len; i++)
        z.w[(len - 1 - i) / 8] |= (uint64_t)in[i] << 8 * ((len - 1 - i) % 8);
    return z;
}

static int same(element z, const uint8_t *in, size_t len)
{
    return zero(add(z, from_bytes(in, len)));
}

/* M' of M, which is p->poly: M without its leading term, shifted to the end of the register */
static curve curve_of(const ty_ec_params *p, unsigned m, size_t len)
{
    curve e = { m, { { 0 } }, from_bytes(p->a, len), from_bytes(p->b, len) };
    for (unsigned i = 0; i < m; i++)
        if (p->poly[p->poly_len - 1 - i / 8] >> i % 8 & 1)
            e.prime = add(e.prime, power_of_t(i + 256 - m));
    return e;
}

/* Compares multiples of a random point. Returns 1 if they agree, -1 if not, 0 for a field of more
 * than 255 bits, which the page does not cover. */
static int check(const ty_ec_curve *c)
{
    const size_t len = ty_ec_field_len(c), order_len = ty_ec_order_len(c);
    const unsigned m = (unsigned)ty_ec_field_bits(c);
    ty_ec_params p;
    ty_ec_key key, scalar;
    ty_ec_pub z;
    uint8_t k[TY_EC_MAX], from[1 + 2 * TY_EC_MAX], to[1 + 2 * TY_EC_MAX];
    if (m > 255) return 0;
    ty_ec_params_get(&p, c);
    const curve e = curve_of(&p, m, len);
    for (int i = 0; i < 4; i++) {
        if (ty_ec_keygen(&key, c, ty_rng_system()) != TY_OK ||
            ty_ec_keygen(&scalar, c, ty_rng_system()) != TY_OK)
            return -1;
        memcpy(k, scalar.d, order_len);
        if (i < 2) memset(k, 0, order_len), k[order_len - 1] = (uint8_t)(1 + i);
        if (i == 2) memcpy(k, p.n, order_len), k[order_len - 1] ^= 1;   /* n - 1, as n is odd */
        if (ty_ec_mul(&z, k, &key.pub) != TY_OK) return -1;
        ty_ec_pub_get(from, &key.pub);
        ty_ec_pub_get(to, &z);
        element x = from_bytes(from + 1, len), y = from_bytes(from + 1 + len, len);
        if (!multiply(&x, &y, from_bytes(k, order_len), &e) || !same(x, to + 1, len) ||
            !same(y, to + 1 + len, len))
            return -1;
    }
    element x = from_bytes(p.x, len), y = from_bytes(p.y, len);
    return multiply(&x, &y, from_bytes(p.n, p.n_len), &e) ? -1 : 1;   /* n G is infinity */
}

int main(void)
{
    static ty_ec_any any;
    ty_ec_params p;
    int good = 0;
    for (size_t i = 0; ty_ec_curve_at(i); i++) {
        const int r = check(ty_ec_curve_at(i));
        if (r < 0) { printf("%s: another point\n", ty_ec_curve_name(ty_ec_curve_at(i))); return 1; }
        good += r;
    }
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++) {
        if (ty_ec_any_init(&any, &p, TY_EC_AUTO, 0, NULL) != TY_OK) return 1;
        const int r = check(ty_ec_any_curve(&any));
        if (r < 0) { printf("%s: another point\n", p.name); return 1; }
        good += r;
    }
    printf("one page: the same multiples as the library on %d curves\n", good);
    return good < 20;
}
