/* Functions on integers: modular arithmetic, divisors, roots, primes, randomness. Numbers are taken
 * as int or Integer and returned as Integer. */
#include "mp.h"

/* A function of one, two or three numbers with one result. */
typedef ty_err map1(ty_mp *, const ty_mp *), map2(ty_mp *, const ty_mp *, const ty_mp *);
typedef ty_err map3(ty_mp *, const ty_mp *, const ty_mp *, const ty_mp *);
typedef struct map {
    signature sig;
    map1 *one;
    map2 *two;
    map3 *three;
    const char *hint; /* for TY_ERR_ARG; NULL: the usual hint */
} map;

static int take_numbers(state *st, operand *x, PyObject *const *o, const signature *sig, int n)
{
    for (int i = 0; i < n; i++)
        if (mp_want(st, &x[i], o[i], sig->names[i])) return -1;
    return 0;
}

static ty_err run_map(ty_mp *z, const map *m, const operand *x)
{
    if (m->one) return m->one(z, x[0].v);
    return m->two ? m->two(z, x[0].v, x[1].v) : m->three(z, x[0].v, x[1].v, x[2].v);
}

static PyObject *call_map(PyObject *module, const map *m, PyObject *const *args, Py_ssize_t n,
                          PyObject *names)
{
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    operand x[3] = { 0 };
    integer *r = NULL;
    ty_err err = TY_OK;
    if (take_args(o, &m->sig, args, n, names)) return NULL;
    if (!take_numbers(st, x, o, &m->sig, m->sig.required) && (r = mp_new(st)))
        WITHOUT_GIL(ALWAYS, err = run_map(&r->v, m, x));
    mp_release(x, 3);
    if (!r) return NULL;
    if (err != TY_ERR_ARG || !m->hint) return mp_done(st, r, err);
    Py_DECREF(r);
    return refuse(st, "%s: %s", m->sig.call, m->hint);
}

static ty_err isqrt_(ty_mp *z, const ty_mp *x) { return ty_mp_sqrt_vt(z, NULL, x); }

#define MAP(name, n, one, two, three, hint, ...)                                                   \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t count,               \
                          PyObject *names)                                                         \
    {                                                                                              \
        static const map m = {                                                                     \
            { #name, n, n, { __VA_ARGS__ } }, \
            one, two, three, hint                     \
        };                                                                                         \
        return call_map(module, &m, args, count, names);                                           \
    }
#define POSITIVE "the modulus must be above zero"
#define ODD      "the modulus must be odd and above zero, and the exponent not below zero"
MAP(powmod, 3, NULL, NULL, ty_mp_powm_vt, POSITIVE, "base", "exponent", "modulus")
MAP(powmod_secret, 3, NULL, NULL, ty_mp_powm, ODD, "base", "exponent", "modulus")
MAP(mulmod, 3, NULL, NULL, ty_mp_mulmod_vt, POSITIVE, "x", "y", "modulus")
MAP(mulmod_secret, 3, NULL, NULL, ty_mp_mulmod, POSITIVE, "x", "y", "modulus")
MAP(invert, 2, NULL, ty_mp_invmod_vt, NULL, POSITIVE, "x", "modulus")
MAP(invert_secret, 2, NULL, ty_mp_invmod, NULL, "the modulus must be odd and above zero", "x",
    "modulus")
MAP(gcd, 2, NULL, ty_mp_gcd_vt, NULL, NULL, "x", "y")
MAP(lcm, 2, NULL, ty_mp_lcm_vt, NULL, NULL, "x", "y")
MAP(isqrt, 1, isqrt_, NULL, NULL, "x must not be below zero", "x")
MAP(next_prime, 1, ty_mp_next_prime_vt, NULL, NULL, NULL, "x")

/* --- More than one result, or one that is not an Integer --- */

static PyObject *gcdext(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "gcdext", 2, 2, { "x", "y" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *all = NULL;
    operand x[2] = { 0 };
    integer *r[3] = { NULL };
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int bad = take_numbers(st, x, o, &sig, 2);
    for (int i = 0; i < 3 && !bad; i++) bad = !(r[i] = mp_new(st));
    if (!bad) {
        WITHOUT_GIL(ALWAYS, err = ty_mp_gcdext_vt(&r[0]->v, &r[1]->v, &r[2]->v, x[0].v, x[1].v));
        all = err ? fail(st, err, NULL, NULL) : PyTuple_Pack(3, r[0], r[1], r[2]);
    }
    mp_release(x, 2);
    for (int i = 0; i < 3; i++) Py_XDECREF((PyObject *)r[i]);
    return all;
}

static PyObject *iroot(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "iroot", 2, 2, { "x", "k" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1], *both = NULL;
    operand x = { 0 };
    size_t k;
    integer *r[2] = { NULL };
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names) || want_size(&k, o[1], "k", 1, UINT32_MAX))
        return NULL;
    if (!mp_want(st, &x, o[0], "x") && (r[0] = mp_new(st)) && (r[1] = mp_new(st))) {
        WITHOUT_GIL(ALWAYS, err = ty_mp_root_vt(&r[0]->v, &r[1]->v, x.v, (uint32_t)k));
        both = err ? fail(st, err, NULL, "an even root of a number below zero does not exist")
                   : PyTuple_Pack(2, r[0], ty_mp_sign(&r[1]->v) ? Py_False : Py_True);
    }
    mp_release(&x, 1);
    Py_XDECREF((PyObject *)r[0]);
    Py_XDECREF((PyObject *)r[1]);
    return both;
}

static PyObject *is_square(PyObject *module, PyObject *o)
{
    state *st = state_of_module(module);
    operand x = { 0 };
    int yes = 0;
    ty_err err = TY_OK;
    int bad = mp_want(st, &x, o, "x");
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_mp_is_square_vt(&yes, x.v));
    mp_release(&x, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : PyBool_FromLong(yes);
}

static PyObject *kronecker(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "kronecker", 2, 2, { "x", "y" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    operand x[2] = { 0 };
    int out = 0;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int bad = take_numbers(st, x, o, &sig, 2);
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_mp_kronecker_vt(&out, x[0].v, x[1].v));
    mp_release(x, 2);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : PyLong_FromLong(out);
}

static PyObject *is_prime(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const signature sig = {
        "is_prime", 1, 2, { "x", "rounds" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    operand x = { 0 };
    size_t rounds;
    int yes = 0;
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names) || take_size(&rounds, o[1], "rounds", 0, 1000000, 8))
        return NULL;
    int bad = mp_want(st, &x, o[0], "x");
    if (!bad)
        WITHOUT_GIL(ALWAYS, err = ty_mp_is_prime_vt(&yes, x.v, (uint32_t)rounds, ty_rng_system()));
    mp_release(&x, 1);
    if (bad) return NULL;
    return err ? fail(st, err, NULL, NULL) : PyBool_FromLong(yes);
}

/* --- Randomness --- */

static PyObject *random_prime(PyObject *module, PyObject *const *args, Py_ssize_t n,
                              PyObject *names)
{
    static const signature sig = {
        "random_prime", 1, 1, { "bits", "top2", "three_mod_four", "safe" }
    };
    state *st = state_of_module(module);
    PyObject *o[MAX_ARGS + 1];
    size_t bits;
    ty_err err;
    if (take_args(o, &sig, args, n, names) || want_size(&bits, o[0], "bits", 2, 1 << 20))
        return NULL;
    int top2 = take_flag(o[1], 0), mod4 = take_flag(o[2], 0), safe = take_flag(o[3], 0);
    integer *r = top2 < 0 || mod4 < 0 || safe < 0 ? NULL : mp_new(st);
    if (!r) return NULL;
    uint32_t flags = (top2 ? TY_MP_PRIME_TOP2 : 0u) | (mod4 ? TY_MP_PRIME_3MOD4 : 0u)
                     | (safe ? TY_MP_PRIME_SAFE : 0u);
    WITHOUT_GIL(ALWAYS, err = ty_mp_prime(&r->v, bits, flags, ty_rng_system()));
    if (err != TY_ERR_ARG) return mp_done(st, r, err);
    Py_DECREF(r);
    return refuse(st, "there is no such prime of %zu bits: ask for more bits", bits);
}

static PyObject *random_bits(PyObject *module, PyObject *bits)
{
    state *st = state_of_module(module);
    size_t n;
    if (want_size(&n, bits, "bits", 0, (size_t)1 << 33)) return NULL;
    integer *r = mp_new(st);
    return r ? mp_done(st, r, ty_mp_random_bits(&r->v, n, ty_rng_system())) : NULL;
}

static PyObject *random_below(PyObject *module, PyObject *bound)
{
    state *st = state_of_module(module);
    operand x = { 0 };
    integer *r = NULL;
    ty_err err = TY_OK;
    if (!mp_want(st, &x, bound, "bound") && (r = mp_new(st)))
        err = ty_mp_random_below(&r->v, x.v, ty_rng_system());
    mp_release(&x, 1);
    if (err != TY_ERR_ARG) return r ? mp_done(st, r, err) : NULL;
    Py_DECREF(r);
    return refuse(st, "bound must be above zero");
}

/* --- Many powers --- */

/* job = the job of a triple. `keep` and `list` hold the objects to which it points. */
static int take_job(state *st, ty_mp_powm_job *job, operand *x, PyObject *triple, PyObject *keep,
                    PyObject *list, Py_ssize_t i)
{
    static const signature sig = {
        "powmod_many", 3, 3, { "base", "exponent", "modulus" }
    };
    PyObject *o[3], *t = PySequence_Tuple(triple);
    if (!t || PyList_SetItem(keep, i, t)) return -1;
    if (PyTuple_Size(t) != 3) {
        refuse(st, "item %zd is not (base, exponent, modulus)", i);
        return -1;
    }
    for (int k = 0; k < 3; k++) o[k] = PyTuple_GetItem(t, k);
    integer *r = take_numbers(st, x, o, &sig, 3) ? NULL : mp_new(st);
    if (!r) return -1;
    *job = (ty_mp_powm_job){ &r->v, x[0].v, x[1].v, x[2].v, TY_OK };
    return PyList_SetItem(list, i, (PyObject *)r);
}

static PyObject *run_powers(state *st, PyObject *all, Py_ssize_t n)
{
    ty_mp_powm_job *jobs = PyMem_Calloc((size_t)n + 1, sizeof *jobs);
    operand *x = PyMem_Calloc(3 * (size_t)n + 1, sizeof *x);
    PyObject *keep = jobs && x ? PyList_New(n) : PyErr_NoMemory(),
             *list = keep ? PyList_New(n) : NULL;
    ty_err err = TY_OK;
    int bad = !list;
    for (Py_ssize_t i = 0; i < n && !bad; i++)
        bad = take_job(st, &jobs[i], &x[3 * i], PyTuple_GetItem(all, i), keep, list, i);
    if (!bad) WITHOUT_GIL(ALWAYS, err = ty_mp_many_powm(jobs, (size_t)n));
    if (x) mp_release(x, 3 * (size_t)n);
    PyMem_Free(jobs);
    PyMem_Free(x);
    Py_XDECREF(keep);
    if (!bad && !err) return list;
    Py_XDECREF(list);
    if (!bad) fail(st, err, NULL, ODD);
    return NULL;
}

static PyObject *powmod_many(PyObject *module, PyObject *jobs)
{
    PyObject *all = PySequence_Tuple(jobs);
    PyObject *list = all ? run_powers(state_of_module(module), all, PyTuple_Size(all)) : NULL;
    Py_XDECREF(all);
    return list;
}

#define ROW(name, text) { #name, FASTCALL(name), FAST, #name text }
static PyMethodDef functions[] = {
    ROW(powmod, "($module, base, exponent, modulus)\n--\n\nbase^exponent mod modulus, for public "
                "numbers; an exponent below "
                "zero means the inverse."),
    ROW(powmod_secret, "($module, base, exponent, modulus)\n--\n\n"
                       "The same in a time that depends on lengths alone; modulus is odd. Make "
                       "secrets with Integer.from_bytes:\n"
                       "the conversion from int reveals their size."),
    ROW(mulmod, "($module, x, y, modulus)\n--\n\nx y mod modulus, for public numbers."),
    ROW(mulmod_secret, "($module, x, y, modulus)\n--\n\nThe same in constant time."),
    ROW(invert, "($module, x, modulus)\n--\n\n1/x mod modulus, for public numbers; Error if x is "
                "not invertible."),
    ROW(invert_secret, "($module, x, modulus)\n--\n\nThe same in constant time; modulus is odd."),
    ROW(gcd, "($module, x, y)\n--\n\nThe greatest common divisor."),
    ROW(lcm, "($module, x, y)\n--\n\nThe least common multiple."),
    ROW(gcdext, "($module, x, y)\n--\n\n(g, u, v) with g = gcd = u x + v y."),
    ROW(isqrt, "($module, x)\n--\n\nThe square root, rounded down."),
    ROW(iroot, "($module, x, k)\n--\n\n(r, exact): the k-th root, rounded towards zero, and "
               "whether it is exact."),
    { "is_square", is_square, METH_O, "is_square($module, x, /)\n--\n\nWhether x is a square." },
    ROW(kronecker, "($module, x, y)\n--\n\nThe Kronecker symbol (x/y): Jacobi's for odd y > 0, "
                   "Legendre's for an odd prime."),
    ROW(is_prime, "($module, x, rounds=8)\n--\n\n"
                  "Whether x is prime: BPSW, to which no exception is known, and this number of "
                  "rounds of Miller-Rabin to random bases."),
    ROW(next_prime, "($module, x)\n--\n\nThe least prime above x."),
    ROW(random_prime, "($module, bits, *, top2=False, three_mod_four=False, safe=False)\n--\n\n"
                      "A random prime p of exactly this number of bits. top2: its two top bits are "
                      "set; three_mod_four: p = 3 mod 4; safe: (p - 1)/2 is prime, too."),
    { "random_bits", random_bits, METH_O,
       "random_bits($module, bits, /)\n--\n\nA uniform number below 2^bits." },
    { "random_below", random_below, METH_O,
       "random_below($module, bound, /)\n--\n\nA uniform number below bound." },
    { "powmod_many", powmod_many, METH_O,
       "powmod_many($module, jobs, /)\n--\n\n"
      "powmod_secret for each (base, exponent, modulus) of jobs, interleaved: half the time of "
      "single calls." },
    { 0 }
};

int add_mp_functions(PyObject *module) { return PyModule_AddFunctions(module, functions); }
