/* Binary curves: named ones and those given by parameters. */
#include "ec2m.h"
#include <string.h>

const ty_ec_curve *take_curve(state *st, PyObject *o)
{
    if (Py_TYPE(o) == st->type[T_CURVE]) return ((curve *)o)->curve;
    return PyErr_Format(PyExc_TypeError, "curve must be a Curve, not %R", Py_TYPE(o)), NULL;
}

PyObject *wrap_curve(state *st, const ty_ec_curve *c)
{
    curve *o = new_object(st, T_CURVE);
    if (o) o->curve = c;
    return (PyObject *)o;
}

static PyObject *made_curve(state *st, const ty_ec_params *p)
{
    const char *why = NULL;
    ty_err err;
    curve *o = new_object(st, T_CURVE);
    if (!o) return NULL;
    WITHOUT_GIL(ALWAYS, err = ty_ec_any_init(&o->any, p, TY_EC_AUTO, 0, &why));
    o->curve = ty_ec_any_curve(&o->any);
    if (!err) return (PyObject *)o;
    Py_DECREF(o);
    return err == TY_ERR_MEM ? PyErr_NoMemory()
                             : refuse(st, "this curve cannot be used: %s",
                                      why ? why : ty_err_text(err));
}

static int is_named(const ty_ec_params *p, const char *name)
{
    return (p->name && strcmp(p->name, name) == 0) || (p->oid && strcmp(p->oid, name) == 0);
}

static PyObject *curve_named(PyObject *cls, PyObject *name)
{
    state *st = state_of_class(cls);
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    ty_ec_params p;
    if (!text)
        return PyErr_Occurred() ? NULL
                                : (PyErr_SetString(PyExc_TypeError, "name must be a string"), NULL);
    const ty_ec_curve *c = ty_ec_curve_named(text);
    if (c) return wrap_curve(st, c);
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++)
        if (is_named(&p, text)) return made_curve(st, &p);
    return refuse(st, "there is no curve %R: tongyu.ec2m.curves() lists them", name);
}

/* o, an int, as len big-endian bytes, or as few as it needs if len is 0. A new reference, or NULL
 * with an exception. */
static PyObject *number_bytes(state *st, PyObject *o, const char *name, size_t len)
{
    if (!PyLong_Check(o)) return PyErr_Format(PyExc_TypeError, "%s must be an integer", name);
    if (!len && int_size(&len, o)) return NULL;
    PyObject *bytes = int_bytes(o, len, "big");
    if (bytes || !PyErr_ExceptionMatches(PyExc_OverflowError)) return bytes;
    PyErr_Clear();
    return refuse(st, "%s is below zero, or of a higher degree than the field", name);
}

/* Reads the parameters into p, which then points into the six objects of hold. */
static int take_params(state *st, ty_ec_params *p, PyObject *hold[6], PyObject *const *o,
                       const signature *sig)
{
    size_t len = 0;
    const uint8_t *at[6];
    for (int i = 0; i < 6; i++) {
        if (!(hold[i] = number_bytes(st, o[i], sig->names[i], i == 0 || i == 5 ? 0 : len)))
            return -1;
        at[i] = (const uint8_t *)PyBytes_AsString(hold[i]);
        if (i) continue;
        p->poly_len = (size_t)PyBytes_Size(hold[0]);
        if (p->poly_len < 1 || p->poly_len > sizeof p->poly) {
            refuse(st, "polynomial must be of degree 2 to 1023");
            return -1;
        }
        memcpy(p->poly, at[0], p->poly_len);
        len = p->poly[0] == 1 ? p->poly_len - 1
                              : p->poly_len; /* a coordinate has a bit less than the polynomial */
    }
    p->a = at[1], p->b = at[2], p->x = at[3], p->y = at[4], p->n = at[5];
    p->n_len = (size_t)PyBytes_Size(hold[5]);
    return 0;
}

static PyObject *curve_from_parameters(PyObject *cls, PyObject *const *args, Py_ssize_t n,
                                       PyObject *names)
{
    static const signature sig = {
        "from_parameters", 6, 6, { "polynomial", "a", "b", "x", "y", "order", "cofactor", "name" }
    };
    state *st = state_of_class(cls);
    PyObject *o[MAX_ARGS + 1], *hold[6] = { NULL }, *made = NULL;
    ty_ec_params p = { 0 };
    size_t h;
    if (take_args(o, &sig, args, n, names) || take_size(&h, o[6], "cofactor", 0, UINT32_MAX, 0))
        return NULL;
    p.h = (uint32_t)h;
    if (given(o[7]) && !PyUnicode_Check(o[7]))
        return PyErr_Format(PyExc_TypeError, "name must be a string");
    if (given(o[7]) && !(p.name = PyUnicode_AsUTF8AndSize(o[7], NULL))) return NULL;
    if (!take_params(st, &p, hold, o, &sig)) made = made_curve(st, &p);
    for (int i = 0; i < 6; i++) Py_XDECREF(hold[i]);
    return made;
}

static PyObject *number(const uint8_t *p, size_t len)
{
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)p, (Py_ssize_t)len);
    PyObject *i =
        bytes ? PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "big")
              : NULL;
    Py_XDECREF(bytes);
    return i;
}

/* dict[name] = value, which is released. -1 with an exception */
static int put(PyObject *dict, const char *name, PyObject *value)
{
    int bad = !value || PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return bad ? -1 : 0;
}

static PyObject *curve_parameters(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_ec_curve *c = ((curve *)self)->curve;
    size_t len = ty_ec_field_len(c);
    ty_ec_params p;
    ty_ec_params_get(&p, c);
    PyObject *dict = PyDict_New();
    if (!dict || put(dict, "polynomial", number(p.poly, p.poly_len))
        || put(dict, "a", number(p.a, len)) || put(dict, "b", number(p.b, len))
        || put(dict, "x", number(p.x, len)) || put(dict, "y", number(p.y, len))
        || put(dict, "order", number(p.n, p.n_len))
        || put(dict, "cofactor", PyLong_FromUnsignedLong(p.h)))
        Py_CLEAR(dict);
    return dict;
}

static PyObject *text_or_none(const char *text)
{
    if (!text || !*text) Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

enum { FIELD_BITS, ORDER_BITS, FIELD_LEN, ORDER_LEN, NAME, OID };
static PyObject *curve_get(PyObject *self, void *what)
{
    const ty_ec_curve *c = ((curve *)self)->curve;
    switch ((int)(intptr_t)what) {
    case FIELD_BITS:
        return PyLong_FromSize_t(ty_ec_field_bits(c));
    case ORDER_BITS:
        return PyLong_FromSize_t(ty_ec_order_bits(c));
    case FIELD_LEN:
        return PyLong_FromSize_t(ty_ec_field_len(c));
    case ORDER_LEN:
        return PyLong_FromSize_t(ty_ec_order_len(c));
    case NAME:
        return text_or_none(ty_ec_curve_name(c));
    default:
        return text_or_none(ty_ec_curve_oid(c));
    }
}

static PyObject *curve_repr(PyObject *self)
{
    const ty_ec_curve *c = ((curve *)self)->curve;
    const char *name = ty_ec_curve_name(c);
    return PyUnicode_FromFormat("<binary curve %s, degree %zu>",
                                name && *name ? name : "without a name", ty_ec_field_bits(c));
}

static PyObject *curves(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    const ty_ec_curve *c;
    ty_ec_params p;
    int bad = !list;
    for (size_t i = 0, j = 0; !bad;) {
        const char *name = (c = ty_ec_curve_at(i)) ? i++,
                   ty_ec_curve_name(c) : ty_ec_standard_at(&p, j) ? j++, p.name : NULL;
        if (!name) break;
        PyObject *text = PyUnicode_FromString(name);
        bad = !text || PyList_Append(list, text);
        Py_XDECREF(text);
    }
    if (bad) Py_CLEAR(list);
    return list;
}

/* --- The type --- */

static PyMethodDef curve_methods[] = {
    { "named", curve_named, METH_O | METH_CLASS,
     "named($type, name, /)\n--\n\nThe curve of this name or dotted OID: 'sect233r1', "
      "'c2pnb163v1', ... (see curves())." },
    { "from_parameters", FASTCALL(curve_from_parameters), CLASS,
     "from_parameters($type, polynomial, a, b, x, y, order, *, cofactor=0, name=None)\n--\n\n"
      "The curve y^2 + xy = x^3 + ax^2 + b over GF(2)[t]/polynomial, checked.\n\n"
      "Numbers are ints, bit i for t^i; (x, y) is the generator, whose order is a prime; with "
      "cofactor=0 the cofactor is computed.\n"
      "Trust only parameters of a standard: the checks find broken parameters, not those that were "
      "chosen to be weak." },
    { "parameters", curve_parameters, METH_NOARGS,
     "parameters($self, /)\n--\n\nA dict of ints: polynomial, a, b, x, y, order, cofactor." },
    { 0 }
};
#define GET(name, what, doc) { name, curve_get, NULL, doc, (void *)(intptr_t)what }
static PyGetSetDef curve_properties[] = { GET("name", NAME, "The name of the curve, or None."),
                                          GET("oid", OID, "Its object identifier, or None."),
                                          GET("field_bits", FIELD_BITS,
                                              "m, the degree of the field."),
                                          GET("order_bits", ORDER_BITS, "Bits of the order."),
                                          GET("field_size", FIELD_LEN, "Bytes of a coordinate."),
                                          GET("order_size", ORDER_LEN, "Bytes of a scalar."),
                                          { 0 } };
static PyType_Slot curve_slots[] = {
    { Py_tp_dealloc, (void *)plain_dealloc },
    { Py_tp_methods, curve_methods },
    { Py_tp_getset, curve_properties },
    { Py_tp_repr, (void *)curve_repr },
    { Py_tp_doc, "A binary curve y^2 + xy = x^3 + ax^2 + b." },
    { 0 }
};
PyType_Spec ec_curve_spec = { "tongyu.ec2m.Curve", sizeof(curve), 0, MADE_BY_METHODS, curve_slots };

PyMethodDef ec_functions[] = {
    { "curves", curves, METH_NOARGS,
     "curves($module, /)\n--\n\nThe names of all curves that Curve.named knows." },
    { 0 }
};
