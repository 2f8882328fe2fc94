/* Conversion from and to text in radix 2 to 64, also in files. */
#include "ltm.h"

#include <string.h>

static int valid(int radix) { return radix >= 2 && radix <= 64; }

/* --- From text -------------------------------------------------------------------------------- */

static int digit_value(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    if (c >= 'a' && c <= 'z') return c - 'a' + 36;
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/* Up to radix 36, lower-case letters count as capitals. */
static int is_digit(int c, int radix)
{
    if (radix <= 36 && c >= 'a' && c <= 'z') c += 'A' - 'a';
    return digit_value(c) < radix;
}

/* a = s[len], which has only digits; no digits: 0 */
static mp_err from_digits(mp_int *a, const char *s, size_t len, int radix, int neg)
{
    ty_mp x;
    ty_mp_init_with(&x, ltm_alloc);
    mp_err e = MP_OKAY;
    for (; len && *s == '0'; len--) s++;
    if (len) e = ltm_err(ty_mp_set_str_vt(&x, s, len, radix));
    if (e == MP_OKAY && neg) e = ltm_err(ty_mp_neg(&x, &x));
    if (e == MP_OKAY) e = ltm_put(a, &x);
    ty_mp_clear(&x);
    return e;
}

mp_err mp_read_radix(mp_int *a, const char *str, int radix)
{
    if (!valid(radix)) return MP_VAL;
    const int neg = *str == '-';
    const char *s = str + neg;
    size_t len = 0;
    if (radix <= 10)
        while ((unsigned)(s[len] - '0') < (unsigned)radix) len++;
    else
        while (is_digit((unsigned char)s[len], radix)) len++;
    if (s[len] && s[len] != '\r' && s[len] != '\n') return MP_VAL;
    return from_digits(a, s, len, radix, neg);
}

/* --- To text ---------------------------------------------------------------------------------- */

/* The text with its terminating NUL in memory of *room bytes, which the caller frees; *len includes
 * the NUL. */
static mp_err text(char **out, size_t *room, size_t *len, const mp_int *a, int radix)
{
    ty_mp x;
    *out = NULL;
    mp_err e = ltm_get(&x, a);
    *room = ty_mp_str_size(&x, radix);
    if (e == MP_OKAY && !(*out = ltm_take(*room))) e = MP_MEM;
    if (e == MP_OKAY) e = ltm_err(ty_mp_get_str_vt(*out, *room, len, &x, radix));
    if (e == MP_OKAY) ++*len;
    ty_mp_clear(&x);
    return e;
}

mp_err mp_to_radix(const mp_int *a, char *str, size_t maxlen, size_t *written, int radix)
{
    ty_mp x;
    size_t len = 0;
    if (maxlen < 2) return MP_BUF;
    if (!valid(radix)) return MP_VAL;
    mp_err e = ltm_get(&x, a);
    if (e == MP_OKAY) {
        const ty_err t = ty_mp_get_str_vt(str, maxlen, &len, &x, radix);
        e = t == TY_ERR_SIZE ? MP_BUF : ltm_err(t);
    }
    if (e == MP_OKAY && written) *written = len + 1;
    ty_mp_clear(&x);
    return e;
}

/* Exact, by writing the text, which takes less time than counting digits by divisions. */
mp_err mp_radix_size(const mp_int *a, int radix, int *size)
{
    char *s;
    size_t room, len = 0;
    *size = 0;
    if (!valid(radix)) return MP_VAL;
    mp_err e = text(&s, &room, &len, a, radix);
    if (e == MP_OKAY && len > INT_MAX) e = MP_VAL;
    if (e == MP_OKAY) *size = (int)len;
    ltm_give(s, room);
    return e;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Reads digits up to the first byte that is not one, which is consumed too, as in LibTomMath. */
static mp_err read_digits(char **out, size_t *room, size_t *len, int c, int radix, FILE *stream)
{
    for (; c != EOF && is_digit(c, radix); c = fgetc(stream)) {
        if (*len == *room) {
            const size_t more = *room ? 2 * *room : 256;
            char *s = ltm_take(more);
            if (!s) return MP_MEM;
            if (*len) memcpy(s, *out, *len);
            ltm_give(*out, *room);
            *out = s;
            *room = more;
        }
        (*out)[(*len)++] = (char)c;
    }
    return ferror(stream) ? MP_ERR : MP_OKAY;
}

mp_err mp_fread(mp_int *a, int radix, FILE *stream)
{
    char *s = NULL;
    size_t room = 0, len = 0;
    if (!valid(radix)) return MP_VAL;
    int c = fgetc(stream);
    const int neg = c == '-';
    if (neg) c = fgetc(stream);
    if (c == EOF) return MP_ERR;
    mp_err e = read_digits(&s, &room, &len, c, radix, stream);
    if (e == MP_OKAY) e = from_digits(a, s, len, radix, neg);
    ltm_give(s, room);
    return e;
}

mp_err mp_fwrite(const mp_int *a, int radix, FILE *stream)
{
    char *s;
    size_t room, len = 0;
    if (!valid(radix)) return MP_VAL;
    mp_err e = text(&s, &room, &len, a, radix);
    /* with the terminating NUL, as LibTomMath does */
    if (e == MP_OKAY && fwrite(s, len, 1, stream) != 1) e = MP_ERR;
    ltm_give(s, room);
    return e;
}
