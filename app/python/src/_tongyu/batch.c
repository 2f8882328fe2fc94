/* Batches from lists, from (offsets, data), and from two-dimensional arrays. Arrow and DLPack are
 * in batch_arrow.c and batch_dlpack.c. */
#include "batch.h"
#include <string.h>

void drop_batch(batch *b)
{
    if (b->done) b->done(b);
    if (b->buffers) release(b->buffers, b->buffers_n);
    PyMem_Free(b->buffers);
    PyMem_Free(b->items);
    Py_XDECREF(b->keep);
    memset(b, 0, sizeof *b);
}

int batch_reserve(batch *b, size_t n)
{
    b->items = PyMem_Calloc(n + 1, sizeof *b->items);
    if (!b->items) {
        PyErr_NoMemory();
        return -1;
    }
    b->n = n;
    return 0;
}

static int reserve_buffers(batch *b, size_t n)
{
    b->buffers = PyMem_Calloc(n + 1, sizeof *b->buffers);
    if (!b->buffers) {
        PyErr_NoMemory();
        return -1;
    }
    b->buffers_n = n;
    return 0;
}

int same_count(state *st, const batch *b, size_t n, const char *name)
{
    if (b->n == n) return 0;
    refuse(st, "%s has %zu items, and %zu are needed: all batches of a call have the same length",
           name, b->n, n);
    return -1;
}

int method_of(PyObject **method, PyObject *o, const char *name)
{
    *method = PyObject_GetAttrString(o, name);
    if (*method || !PyErr_ExceptionMatches(PyExc_AttributeError)) return *method ? 0 : -1;
    PyErr_Clear();
    return 0;
}

/* --- A list --- */

/* Item i, from the object o of a list. A bytes object is used in place, because b->keep holds it;
 * of any other object the buffer is held. */
static int list_item(state *st, batch *b, size_t i, PyObject *o, const char *name)
{
    Py_buffer *buf = &b->buffers[i];
    if (PyBytes_CheckExact(o)) {
        b->items[i] = (span){ (const uint8_t *)PyBytes_AsString(o), (size_t)PyBytes_Size(o) };
        return 0;
    }
    if (o == Py_None) {
        b->items[i] = (span){ NULL, MISSING };
        return 0;
    }
    if (take_in(st, buf, o, name)) return -1;
    b->items[i] = (span){ buf->buf, (size_t)buf->len };
    return 0;
}

static int batch_of_list(state *st, batch *b, PyObject *o, const char *name)
{
    b->keep = PySequence_Tuple(o);
    if (!b->keep) return -1;
    size_t n = (size_t)PyTuple_Size(b->keep);
    if (batch_reserve(b, n) || reserve_buffers(b, n)) return -1;
    for (size_t i = 0; i < n; i++)
        if (list_item(st, b, i, PyTuple_GetItem(b->keep, (Py_ssize_t)i), name)) return -1;
    return 0;
}

/* --- (offsets, data) --- */

/* b->buffers[i] = the buffer of o with its shape. */
static int take_shaped(state *st, batch *b, size_t i, PyObject *o, const char *name)
{
    Py_buffer *buf = &b->buffers[i];
    if (!PyObject_GetBuffer(o, buf, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return 0;
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return -1;
    PyErr_Clear();
    return take_in(st, buf, o, name); /* fails again, with the usual message */
}

/* Whether the format is a signed integer in one of these byte orders. */
static int is_signed(const Py_buffer *b, const char *orders)
{
    const char *f = b->format ? b->format : "B";
    if (*f && strchr(orders, *f)) f++;
    return *f && strchr("ilqn", *f) && !f[1] && (b->itemsize == 4 || b->itemsize == 8);
}

static int64_t offset_at(const Py_buffer *b, size_t i)
{
    int32_t narrow;
    int64_t wide;
    if (b->itemsize == 4) return memcpy(&narrow, (const char *)b->buf + 4 * i, 4), narrow;
    return memcpy(&wide, (const char *)b->buf + 8 * i, 8), wide;
}

static int batch_of_offsets(state *st, batch *b, PyObject *o, const char *name)
{
    b->keep = Py_NewRef(o);
    if (reserve_buffers(b, 2) || take_shaped(st, b, 0, PyTuple_GetItem(o, 0), name)
        || take_in(st, &b->buffers[1], PyTuple_GetItem(o, 1), name))
        return -1;
    const Py_buffer *offsets = &b->buffers[0], *data = &b->buffers[1];
    size_t n = offsets->itemsize ? (size_t)offsets->len / (size_t)offsets->itemsize : 0;
    if (!is_signed(offsets, PY_BIG_ENDIAN ? "@=>!" : "@=<") || n == 0) {
        refuse(st,
               "%s: offsets are int32 or int64 in the machine's byte order, one more than "
               "there are items",
               name);
        return -1;
    }
    if (batch_reserve(b, n - 1)) return -1;
    for (size_t i = 0; i < n; i++) {
        int64_t at = offset_at(offsets, i), before = i ? offset_at(offsets, i - 1) : 0;
        if (at < before || at > data->len) {
            refuse(st, "%s: offset %zu decreases or is beyond the data", name, i);
            return -1;
        }
        if (i)
            b->items[i - 1] = (span){ (const uint8_t *)data->buf + before, (size_t)(at - before) };
    }
    return 0;
}

static int is_offsets(PyObject *o)
{
    if (!PyTuple_Check(o) || PyTuple_Size(o) != 2) return 0;
    Py_buffer b;
    if (PyObject_GetBuffer(PyTuple_GetItem(o, 0), &b, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    int yes = is_signed(&b, "@=<>!"); /* foreign order is refused later, not taken as data */
    PyBuffer_Release(&b);
    return yes;
}

/* --- Fixed width: rows of a two-dimensional array --- */

static int batch_of_rows(state *st, batch *b, PyObject *o, const char *name)
{
    if (reserve_buffers(b, 1) || take_shaped(st, b, 0, o, name)) return -1;
    const Py_buffer *buf = &b->buffers[0];
    if (buf->ndim != 2 || buf->itemsize != 1) {
        refuse(st,
               "%s is one buffer: pass a list of buffers, an array of bytes in rows, (offsets, "
               "data), or an Arrow array",
               name);
        return -1;
    }
    size_t n = (size_t)buf->shape[0], width = (size_t)buf->shape[1];
    if (batch_reserve(b, n)) return -1;
    for (size_t i = 0; i < n; i++)
        b->items[i] = (span){ (const uint8_t *)buf->buf + i * width, width };
    return 0;
}

/* --- Any of them --- */

static int make(state *st, batch *b, PyObject *o, const char *name)
{
    int verdict;
    PyObject *iter;
    if (PyUnicode_Check(o))
        return PyErr_Format(st->text_error, "%s is text where bytes belong: encode it first", name),
               -1;
    if (is_offsets(o)) return batch_of_offsets(st, b, o, name);
    if (PyList_Check(o) || PyTuple_Check(o)) return batch_of_list(st, b, o, name);
    if ((verdict = batch_of_arrow(st, b, o, name)) != 1) return verdict;
    if (PyObject_CheckBuffer(o)) return batch_of_rows(st, b, o, name);
    if ((verdict = batch_of_dlpack(st, b, o, name)) != 1) return verdict;
    if (method_of(&iter, o, "__iter__")) return -1;
    Py_XDECREF(iter);
    if (iter) return batch_of_list(st, b, o, name);
    PyErr_Format(PyExc_TypeError,
                 "%s must be a list of buffers, an Arrow array, or rows of bytes, not %R", name,
                 Py_TYPE(o));
    return -1;
}

int take_batch(state *st, batch *b, PyObject *o, const char *name, size_t width, int missing)
{
    if (make(st, b, o, name)) return -1;
    for (size_t i = 0; i < b->n; i++) {
        size_t len = b->items[i].len;
        if (len == MISSING && !missing) {
            refuse(st, "%s: item %zu is missing (null): fill it first", name, i);
            return -1;
        }
        if (len != MISSING && width && len != width) {
            refuse(st, "%s: item %zu has %zu bytes, and each must have %zu", name, i, len, width);
            return -1;
        }
    }
    return 0;
}

PyObject *new_bytearray(uint8_t **out, size_t n)
{
    if (n > (size_t)PY_SSIZE_T_MAX) return PyErr_NoMemory();
    PyObject *array = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)n);
    *out = array ? (uint8_t *)PyByteArray_AsString(array) : NULL;
    return array;
}

int take_threads(PyObject *o, unsigned *threads)
{
    size_t n;
    if (take_size(&n, o, "threads", 0, 64, 0)) return -1;
    *threads = (unsigned)n;
    return 0;
}
