/* Integer: an integer of any size with Python's operators. The functions of integers are in
 * mp_functions.c. */
#include "mp.h"
#include <string.h>

/* --- From and to int --- */

static PyObject *magnitude_bytes(PyObject *o)
{
    PyObject *exact = PyNumber_Index(o), *abs = exact ? PyNumber_Absolute(exact) : NULL,
             *bytes = NULL;
    size_t n;
    if (abs && !int_size(&n, abs)) bytes = int_bytes(abs, n, "little");
    Py_XDECREF(exact);
    Py_XDECREF(abs);
    return bytes;
}

/* z = o, an int of any size. */
static int set_int(state *st, ty_mp *z, PyObject *o)
{
    int wide;
    long long small = PyLong_AsLongLongAndOverflow(o, &wide);
    if (!wide) {
        if (small == -1 && PyErr_Occurred()) return -1;
        ty_mp_set_i64(z, small);
        return 0;
    }
    PyObject *bytes = magnitude_bytes(o);
    if (!bytes) return -1;
    ty_err err =
        ty_mp_set_le(z, (const uint8_t *)PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    if (!err && wide < 0) err = ty_mp_neg(z, z);
    Py_DECREF(bytes);
    if (err) fail(st, err, NULL, NULL);
    return err ? -1 : 0;
}

PyObject *mp_to_int(const ty_mp *v)
{
    uint8_t *p;
    size_t n = ty_mp_bytes(v);
    PyObject *bytes = new_bytes(&p, n), *i = NULL, *minus;
    if (bytes && !ty_mp_get_le(p, n, v))
        i = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "little");
    Py_XDECREF(bytes);
    if (!i || ty_mp_sign(v) >= 0) return i;
    minus = PyNumber_Negative(i);
    Py_DECREF(i);
    return minus;
}

int mp_take(state *st, operand *x, PyObject *o)
{
    x->v = NULL;
    if (Py_TYPE(o) == st->type[T_INTEGER]) {
        x->v = &((integer *)o)->v;
        return 0;
    }
    if (!PyLong_Check(o)) return 1;
    ty_mp_init(&x->own);
    x->v = &x->own;
    return set_int(st, &x->own, o);
}

int mp_want(state *st, operand *x, PyObject *o, const char *name)
{
    int verdict = mp_take(st, x, o);
    if (verdict == 1)
        PyErr_Format(PyExc_TypeError, "%s must be an int or an Integer, not %R", name, Py_TYPE(o));
    return verdict ? -1 : 0;
}

void mp_release(operand *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i].v == &x[i].own) ty_mp_clear(&x[i].own);
}

integer *mp_new(state *st)
{
    return new_object(st, T_INTEGER); /* all zero bytes are the integer 0 */
}

PyObject *mp_done(state *st, integer *r, ty_err err)
{
    if (!err) return (PyObject *)r;
    Py_XDECREF((PyObject *)r);
    return fail(st, err, NULL,
                err == TY_ERR_SIZE ? "the number would be too large for this machine" : NULL);
}

static void integer_dealloc(PyObject *self)
{
    ty_mp_clear(&((integer *)self)->v);
    free_object(self);
}

/* --- Construction --- */

static int set_text(state *st, ty_mp *z, PyObject *text, size_t base)
{
    Py_ssize_t n;
    const char *p = PyUnicode_AsUTF8AndSize(text, &n);
    if (!p) return -1;
    ty_err err;
    WITHOUT_GIL(n, err = ty_mp_set_str_vt(z, p, (size_t)n, (int)base));
    if (err)
        fail(st, err, NULL,
             "a number is an optional sign and digits of its base, and nothing else");
    return err ? -1 : 0;
}

static PyObject *integer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const signature sig = {
        "Integer", 0, 2, { "value", "base" }
    };
    state *st = PyType_GetModuleState(type);
    PyObject *o[MAX_ARGS + 1];
    size_t base;
    if (take_tuple(o, &sig, args, kwargs) || take_size(&base, o[1], "base", 2, 64, 10)) return NULL;
    if (o[0] && Py_TYPE(o[0]) == type) return Py_NewRef(o[0]);
    integer *r = mp_new(st);
    int bad = !r;
    if (r && o[0] && PyUnicode_Check(o[0])) bad = set_text(st, &r->v, o[0], base);
    else if (r && o[0] && PyLong_Check(o[0])) bad = set_int(st, &r->v, o[0]);
    else if (r && o[0]) {
        PyErr_Format(PyExc_TypeError, "value must be an int, a string or an Integer, not %R",
                     Py_TYPE(o[0]));
        bad = 1;
    }
    if (bad) Py_CLEAR(r);
    return (PyObject *)r;
}

static int take_order(PyObject *o)
{
    static const char *const orders[] = { "big", "little", NULL };
    return take_choice(o, "byteorder", orders, 0);
}

static PyObject *integer_from_bytes(PyObject *cls, PyObject *const *args, Py_ssize_t n,
                                    PyObject *names)
{
    static const signature sig = {
        "from_bytes", 1, 2, { "bytes", "byteorder" }
    };
    state *st = PyType_GetModuleState((PyTypeObject *)cls);
    PyObject *o[MAX_ARGS + 1];
    Py_buffer b = { 0 };
    ty_err err = TY_OK;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int little = take_order(o[1]);
    if (little < 0 || take_in(st, &b, o[0], "bytes")) return NULL;
    integer *r = mp_new(st);
    if (r)
        err = little ? ty_mp_set_le(&r->v, b.buf, (size_t)b.len)
                     : ty_mp_set_be(&r->v, b.buf, (size_t)b.len);
    release(&b, 1);
    return r ? mp_done(st, r, err) : NULL;
}

static PyObject *integer_to_bytes(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                  PyObject *names)
{
    static const signature sig = {
        "to_bytes", 0, 2, { "length", "byteorder" }
    };
    const ty_mp *v = &((integer *)self)->v;
    PyObject *o[MAX_ARGS + 1];
    uint8_t *p;
    size_t len;
    if (take_args(o, &sig, args, n, names)) return NULL;
    int little = take_order(o[1]);
    if (little < 0 || take_size(&len, o[0], "length", 0, PY_SSIZE_T_MAX, ty_mp_bytes(v)))
        return NULL;
    if (ty_mp_sign(v) < 0)
        return refuse(state_of(self), "a number below zero has no bytes here: use abs() first");
    PyObject *bytes = new_bytes(&p, len);
    if (!bytes) return NULL;
    ty_err err = little ? ty_mp_get_le(p, len, v) : ty_mp_get_be(p, len, v);
    if (!err) return bytes;
    Py_DECREF(bytes);
    return fail(state_of(self), err, NULL, "the number needs more bytes: pass a larger length");
}

/* --- Text --- */

static PyObject *text_of(PyObject *self, int base)
{
    const ty_mp *v = &((integer *)self)->v;
    size_t room = ty_mp_str_size(v, base), len = 0;
    char *p = PyMem_Malloc(room);
    ty_err err;
    if (!p) return PyErr_NoMemory();
    WITHOUT_GIL(room, err = ty_mp_get_str_vt(p, room, &len, v, base));
    PyObject *text = err ? fail(state_of(self), err, NULL, NULL)
                         : PyUnicode_FromStringAndSize(p, (Py_ssize_t)len);
    PyMem_Free(p);
    return text;
}

static PyObject *integer_digits(PyObject *self, PyObject *const *args, Py_ssize_t n,
                                PyObject *names)
{
    static const signature sig = { "digits", 0, 1, { "base" } };
    PyObject *o[MAX_ARGS + 1];
    size_t base;
    if (take_args(o, &sig, args, n, names) || take_size(&base, o[0], "base", 2, 64, 10))
        return NULL;
    return text_of(self, (int)base);
}

static PyObject *integer_str(PyObject *self) { return text_of(self, 10); }

static PyObject *integer_repr(PyObject *self)
{
    PyObject *digits = text_of(self, 10),
             *text = digits ? PyUnicode_FromFormat("Integer(%U)", digits) : NULL;
    Py_XDECREF(digits);
    return text;
}

static PyObject *integer_int(PyObject *self) { return mp_to_int(&((integer *)self)->v); }

static PyObject *integer_format(PyObject *self, PyObject *spec)
{
    PyObject *i = integer_int(self), *text = i ? PyObject_Format(i, spec) : NULL;
    Py_XDECREF(i);
    return text;
}

static PyObject *integer_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("O(N)", (PyObject *)Py_TYPE(self), integer_int(self));
}

static PyObject *integer_bit_length(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSize_t(ty_mp_bits(&((integer *)self)->v));
}

/* --- Operators --- */

typedef ty_err binary(ty_mp *z, const ty_mp *x, const ty_mp *y);

static size_t work(const operand *x) { return (ty_mp_bits(x[0].v) + ty_mp_bits(x[1].v)) / 8; }

/* The state, from the operand that is an Integer: an operator's slot is called only if one is. An
 * Integer is recognised by its tp_repr, because types of other modules have other states. */
static state *state_of_one(PyObject *a, PyObject *b, PyObject *c)
{
    PyObject *const all[] = { a, b, c };
    for (int i = 0; i < 3; i++)
        if (all[i] && PyType_GetSlot(Py_TYPE(all[i]), Py_tp_repr) == (void *)integer_repr)
            return state_of(all[i]);
    return NULL; /* not reached: the slot was found on one of them */
}

/* x = both operands: 0; 1 for NotImplemented; -1 with an exception. */
static int take_two(state *st, operand x[2], PyObject *a, PyObject *b)
{
    int first = mp_take(st, &x[0], a), second = first ? 0 : mp_take(st, &x[1], b);
    if (first || second) mp_release(x, 2);
    return first ? first : second;
}

static PyObject *run_binary(PyObject *a, PyObject *b, binary *f)
{
    state *st = state_of_one(a, b, NULL);
    operand x[2] = { 0 };
    ty_err err = TY_OK;
    int other = take_two(st, x, a, b);
    if (other == 1) Py_RETURN_NOTIMPLEMENTED;
    if (other) return NULL;
    integer *r = mp_new(st);
    if (r) WITHOUT_GIL(work(x), err = f(&r->v, x[0].v, x[1].v));
    mp_release(x, 2);
    if (!err || err == TY_ERR_MEM || err == TY_ERR_SIZE) return mp_done(st, r, err);
    Py_DECREF(r);
    return PyErr_Format(PyExc_ZeroDivisionError, "division by zero");
}

static ty_err floor_quotient(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    return ty_mp_div_floor_vt(z, NULL, x, y);
}
static ty_err floor_remainder(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    return ty_mp_div_floor_vt(NULL, z, x, y);
}

#define BINARY(name, f)                                                                            \
    static PyObject *integer_##name(PyObject *a, PyObject *b) { return run_binary(a, b, f); }
BINARY(add, ty_mp_add)
BINARY(sub, ty_mp_sub)
BINARY(mul, ty_mp_mul)
BINARY(and, ty_mp_and)
BINARY(or, ty_mp_or)
BINARY(xor, ty_mp_xor)
BINARY(floordiv, floor_quotient)
BINARY(mod, floor_remainder)

static PyObject *integer_divmod(PyObject *a, PyObject *b)
{
    PyObject *q = integer_floordiv(a, b), *r;
    if (!q || q == Py_NotImplemented) return q;
    r = integer_mod(a, b);
    PyObject *both = r ? PyTuple_Pack(2, q, r) : NULL;
    Py_DECREF(q);
    Py_XDECREF(r);
    return both;
}

/* x shifted by more bits than any memory has: >> gives 0 or -1, << an error unless x is 0. */
static PyObject *shifted_out(state *st, const ty_mp *x, int left)
{
    if (left && ty_mp_sign(x)) return fail(st, TY_ERR_SIZE, NULL, "shift by less");
    integer *r = mp_new(st);
    if (r && ty_mp_sign(x) < 0) ty_mp_set_i64(&r->v, -1);
    return (PyObject *)r;
}

/* x << n and x >> n. */
static PyObject *run_shift(PyObject *a, PyObject *b, int left)
{
    state *st = state_of_one(a, b, NULL);
    operand x[2] = { 0 };
    uint64_t n;
    ty_err err;
    int other = take_two(st, x, a, b);
    if (other == 1) Py_RETURN_NOTIMPLEMENTED;
    if (other) return NULL;
    integer *r;
    PyObject *done = NULL;
    if (ty_mp_sign(x[1].v) < 0) refuse(st, "a shift must be by zero bits or more");
    else if (ty_mp_get_u64(&n, x[1].v) || n > SIZE_MAX / 2) done = shifted_out(st, x[0].v, left);
    else if ((r = mp_new(st))) {
        err = left ? ty_mp_shl(&r->v, x[0].v, (size_t)n) : ty_mp_shr(&r->v, x[0].v, (size_t)n);
        done = mp_done(st, r, err);
    }
    mp_release(x, 2);
    return done;
}

static PyObject *integer_lshift(PyObject *a, PyObject *b) { return run_shift(a, b, 1); }
static PyObject *integer_rshift(PyObject *a, PyObject *b) { return run_shift(a, b, 0); }

static ty_err power(ty_mp *z, const operand x[3])
{
    uint64_t e;
    if (x[2].v) return ty_mp_powm_vt(z, x[0].v, x[1].v, x[2].v);
    if (ty_mp_sign(x[1].v) < 0) return TY_ERR_ARG;
    if (!ty_mp_get_u64(&e, x[1].v)) return ty_mp_pow_vt(z, x[0].v, e);
    if (ty_mp_bits(x[0].v) > 1) return TY_ERR_SIZE;
    return ty_mp_pow_vt(z, x[0].v, 2 - (uint64_t)ty_mp_bit(x[1].v, 0));   /* of 0, 1 or -1 */
}

static PyObject *integer_power(PyObject *a, PyObject *b, PyObject *c)
{
    state *st = state_of_one(a, b, c);
    operand x[3] = { 0 };
    ty_err err = TY_OK;
    integer *r = NULL;
    int other = take_two(st, x, a, b);
    if (!other && c != Py_None) other = mp_take(st, &x[2], c);
    if (!other && (r = mp_new(st))) WITHOUT_GIL(ALWAYS, err = power(&r->v, x));
    mp_release(x, 3);
    if (other == 1) Py_RETURN_NOTIMPLEMENTED;
    if (err == TY_ERR_ARG) {
        Py_DECREF(r);
        return refuse(st, c == Py_None ? "an exponent below zero needs a modulus"
                                       : "the modulus must be above zero");
    }
    return r ? mp_done(st, r, err) : NULL;
}

#define UNARY(name, f)                                                                             \
    static PyObject *integer_##name(PyObject *self)                                                \
    {                                                                                              \
        state *st = state_of(self);                                                                \
        integer *r = mp_new(st);                                                                   \
        return r ? mp_done(st, r, f(&r->v, &((integer *)self)->v)) : NULL;                         \
    }
UNARY(neg, ty_mp_neg)
UNARY(abs, ty_mp_abs)
UNARY(invert, ty_mp_not)

static PyObject *integer_pos(PyObject *self) { return Py_NewRef(self); }
static int integer_bool(PyObject *self) { return ty_mp_sign(&((integer *)self)->v) != 0; }

static PyObject *integer_compare(PyObject *a, PyObject *b, int how)
{
    state *st = state_of(a);
    operand x[2] = { 0 };
    int other = take_two(st, x, a, b);
    if (other == 1) Py_RETURN_NOTIMPLEMENTED;
    if (other) return NULL;
    int sign = ty_mp_cmp_vt(x[0].v, x[1].v);
    mp_release(x, 2);
    Py_RETURN_RICHCOMPARE(sign, 0, how);
}

static Py_hash_t integer_hash(PyObject *self)
{
    PyObject *i = integer_int(self);
    Py_hash_t h = i ? PyObject_Hash(i) : -1;
    Py_XDECREF(i);
    return h;
}

/* --- The type --- */

static PyMethodDef methods[] = {
    { "from_bytes", FASTCALL(integer_from_bytes), FAST | METH_CLASS,
     "from_bytes($type, bytes, byteorder='big')\n--\n\n"
      "The number that the bytes encode. It keeps their length, so that the time does not reveal "
      "the size of a secret." },
    { "to_bytes", FASTCALL(integer_to_bytes), FAST,
     "to_bytes($self, length=None, byteorder='big')\n--\n\nThe number in bytes, as few as it "
     "needs where length is not given." },
    { "digits", FASTCALL(integer_digits), FAST,
     "digits($self, base=10)\n--\n\nThe number as text in a base from 2 to 64." },
    { "bit_length", integer_bit_length, METH_NOARGS,
     "bit_length($self, /)\n--\n\nBits of the absolute value." },
    { "__format__", integer_format, METH_O,
     "__format__($self, format_spec, /)\n--\n\nAs for int." },
    { "__reduce__", integer_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nFor pickle and copy." },
    { 0 }
};
#define SLOT(place, f) { Py_##place, (void *)integer_##f }
static PyType_Slot slots[] = {
    SLOT(tp_new, new),
    SLOT(tp_dealloc, dealloc),
    SLOT(tp_str, str),
    SLOT(tp_repr, repr),
    SLOT(tp_hash, hash),
    SLOT(tp_richcompare, compare),
    SLOT(nb_add, add),
    SLOT(nb_subtract, sub),
    SLOT(nb_multiply, mul),
    SLOT(nb_and, and),
    SLOT(nb_or, or),
    SLOT(nb_xor, xor),
    SLOT(nb_floor_divide, floordiv),
    SLOT(nb_remainder, mod),
    SLOT(nb_divmod, divmod),
    SLOT(nb_lshift, lshift),
    SLOT(nb_rshift, rshift),
    SLOT(nb_power, power),
    SLOT(nb_negative, neg),
    SLOT(nb_positive, pos),
    SLOT(nb_absolute, abs),
    SLOT(nb_invert, invert),
    SLOT(nb_bool, bool),
    SLOT(nb_int, int),
    SLOT(nb_index, int),
    { Py_tp_methods, methods },
    { Py_tp_doc, "Integer(value=0, base=10)\n--\n\n"
                 "An integer of any size, with Python's operators; from an int, or from text in a "
                 "base from 2 to 64.\n\n"
                 "Operators are for public values; for secrets use powmod_secret and "
                 "invert_secret." },
    { 0 }
};
static PyType_Spec spec = { "tongyu.mp.Integer", sizeof(integer), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots };

int add_mp(PyObject *module) { return add_type(module, T_INTEGER, &spec); }
