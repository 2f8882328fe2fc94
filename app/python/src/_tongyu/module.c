/* The module object: exceptions, the types and functions of all families, version and tiers. */
#include "py.h"
#include <stddef.h>

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(ty_version());
}

static PyObject *tier_row(const ty_tier_row *row)
{
    return Py_BuildValue("(ssOO)", row->family, row->tier, row->runs ? Py_True : Py_False,
                         row->chosen ? Py_True : Py_False);
}

static PyObject *tiers(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    size_t n = ty_tier_list(NULL, 0);
    ty_tier_row *rows = PyMem_Malloc(n * sizeof *rows);
    PyObject *list = rows ? PyList_New((Py_ssize_t)n) : PyErr_NoMemory();
    if (rows) n = ty_tier_list(rows, n);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *row = tier_row(&rows[i]);
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row)) Py_CLEAR(list);
    }
    PyMem_Free(rows);
    return list;
}

/* For tests and measurements: with a level, the calls after it use nothing above that level. */
static PyObject *tier_limit(PyObject *module, PyObject *level)
{
    const char *name = level == Py_None ? NULL : PyUnicode_AsUTF8AndSize(level, NULL);
    if (!name && level != Py_None) return NULL;
    ty_err err = ty_tier_limit(name);
    if (err)
        return fail(state_of_module(module), err, NULL,
                    "tongyu.tiers() names the levels of this CPU");
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    { "version", version, METH_NOARGS,
     "version($module, /)\n--\n\nThe version of the C library inside." },
    { "tiers", tiers, METH_NOARGS,
     "tiers($module, /)\n--\n\n"
      "The kernels in this build, weakest first in each family.\n\n"
      "A list of (family, tier, runs, chosen): whether this CPU can run the tier, and whether it "
      "is in use." },
    { "_tier_limit", tier_limit, METH_O,
     "_tier_limit($module, level, /)\n--\n\n"
      "Use nothing above the named level from now on; None lifts the limit. For tests and "
      "measurements only." },
    { 0 }
};

static int add_exception(PyObject *module, PyObject **out, const char *name, const char *doc,
                         PyObject *base)
{
    *out = base ? PyErr_NewExceptionWithDoc(name, doc, base, NULL) : NULL;
    return *out ? PyModule_AddObjectRef(module, name + sizeof "tongyu." - 1, *out) : -1;
}

static int add_exceptions(PyObject *m, state *st)
{
    PyObject *both = PyTuple_Pack(2, PyExc_TypeError, PyExc_ValueError);
    int err =
        add_exception(m, &st->error, "tongyu.Error",
                      "The base class of most errors of Tongyu; a ValueError.", PyExc_ValueError)
        || add_exception(m, &st->invalid_signature, "tongyu.InvalidSignature",
                         "A signature does not verify.", st->error)
        || add_exception(m, &st->invalid_tag, "tongyu.InvalidTag",
                         "A tag does not verify: the data was altered, or the key is wrong.",
                         st->error)
        || add_exception(m, &st->invalid_key, "tongyu.InvalidKey",
                         "Not a valid key, or a wrong password.", st->error)
        || add_exception(m, &st->format_error, "tongyu.FormatError",
                         "Malformed or non-canonical encoding.", st->error)
        || add_exception(m, &st->random_error, "tongyu.RandomError",
                         "The system returned no random bytes.", PyExc_OSError)
        || add_exception(m, &st->text_error, "tongyu.TextError",
                         "A str was passed where bytes belong: encode it first.", both);
    Py_XDECREF(both);
    return err ? -1 : 0;
}

/* For tests: whether sys.gettotalrefcount counts the references that this module takes. */
#if defined(Py_REF_DEBUG)
enum { COUNTED = 1 };
#else
enum { COUNTED = 0 };
#endif

static int exec(PyObject *module)
{
    typedef int add_family(PyObject *);
    static add_family *const families[] = {
        add_hash, add_kdf, add_mac,          add_aead, add_modes,      add_sm2,     add_mldsa,
        add_ec2m, add_mp,  add_mp_functions, add_many, add_many_mldsa, add_columns,
    };
    if (add_exceptions(module, state_of_module(module)) || PyModule_AddFunctions(module, functions))
        return -1;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (families[i](module)) return -1;
    return PyModule_AddIntConstant(module, "_counted", COUNTED);
}

enum { EXCEPTIONS = offsetof(state, type) / sizeof(PyObject *) };

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    state *st = state_of_module(module);
    PyObject **exceptions = &st->error;
    for (size_t i = 0; i < EXCEPTIONS; i++) Py_VISIT(exceptions[i]);
    for (int i = 0; i < TYPES; i++) Py_VISIT(st->type[i]);
    return 0;
}

static int clear(PyObject *module)
{
    state *st = state_of_module(module);
    PyObject **exceptions = &st->error;
    for (size_t i = 0; i < EXCEPTIONS; i++) Py_CLEAR(exceptions[i]);
    for (int i = 0; i < TYPES; i++) Py_CLEAR(st->type[i]);
    return 0;
}

static void free_state(void *module) { (void)clear(module); }

/* The limited API of 3.11 lacks these slots, so they are written as numbers; and Python refuses
 * slots it does not know, so each is only for the versions that know it. From 3.12 on an
 * interpreter may have a GIL of its own (Py_mod_multiple_interpreters), from 3.13 on there may be
 * no GIL (Py_mod_gil; race.sh tests threads without it). */
#define SLOT_MULTIPLE_INTERPRETERS { 3, (void *)2 }
#define SLOT_WITHOUT_GIL           { 4, (void *)1 }
static PyModuleDef_Slot slots_311[] = { { Py_mod_exec, (void *)exec }, { 0 } };
static PyModuleDef_Slot slots_312[] = {
    { Py_mod_exec, (void *)exec }, SLOT_MULTIPLE_INTERPRETERS, { 0 }
};
static PyModuleDef_Slot slots_313[] = {
    { Py_mod_exec, (void *)exec }, SLOT_MULTIPLE_INTERPRETERS, SLOT_WITHOUT_GIL, { 0 }
};

#define DEFINITION(slots)                                                                          \
    { PyModuleDef_HEAD_INIT,                                                                       \
      .m_name = "_tongyu",                                                                         \
      .m_doc = "Tongyu's kernels; import tongyu instead.",                                         \
      .m_size = sizeof(state),                                                                     \
      .m_slots = slots,                                                                            \
      .m_traverse = traverse,                                                                      \
      .m_clear = clear,                                                                            \
      .m_free = free_state }
static PyModuleDef for_311 = DEFINITION(slots_311), for_312 = DEFINITION(slots_312),
                   for_313 = DEFINITION(slots_313);

PyMODINIT_FUNC PyInit__tongyu(void);
PyMODINIT_FUNC PyInit__tongyu(void)
{
    return PyModuleDef_Init(Py_Version >= 0x030d0000   ? &for_313
                            : Py_Version >= 0x030c0000 ? &for_312
                                                       : &for_311);
}
