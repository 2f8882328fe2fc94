/* Batches from DLPack: the rows of a two-dimensional array of bytes in the memory of the CPU.
 * spec: https://dmlc.github.io/dlpack/latest/c_api.html, with and without a version */
#include "batch.h"

typedef struct dl_tensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor t;
    void *ctx;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    uint32_t major, minor;
    void *ctx;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor t;
} dl_versioned;

enum { CPU = 1, INT = 0, UINT = 1 };

static int of_tensor(state *st, batch *b, const dl_tensor *t, const char *name)
{
    int bytes = t->dtype.bits == 8 && t->dtype.lanes == 1
                && (t->dtype.code == UINT || t->dtype.code == INT);
    if (t->device.type != CPU || t->ndim != 2 || !bytes) {
        refuse(st, "%s: a DLPack array must be of bytes, two-dimensional, and in the CPU's memory",
               name);
        return -1;
    }
    if (!t->shape || t->shape[0] < 0 || t->shape[0] == INT64_MAX || t->shape[1] < 0
        || (t->shape[1] && t->shape[0] > PY_SSIZE_T_MAX / t->shape[1])) {
        refuse(st, "%s: a DLPack array has the shape %lld by %lld: create it again",
               name, (long long)(t->shape ? t->shape[0] : -1),
               (long long)(t->shape ? t->shape[1] : -1));
        return -1;
    }
    size_t n = (size_t)t->shape[0], width = (size_t)t->shape[1];
    if (t->strides && n && width
        && ((width > 1 && t->strides[1] != 1) || (n > 1 && t->strides[0] != (int64_t)width))) {
        PyErr_Format(PyExc_BufferError, "%s must be contiguous in memory: copy it first", name);
        return -1;
    }
    if (!t->data && n && width) {
        refuse(st, "%s: a DLPack array without data: create it again", name);
        return -1;
    }
    if (batch_reserve(b, n)) return -1;
    const uint8_t *p = (const uint8_t *)t->data + t->byte_offset;
    for (size_t i = 0; i < n; i++) b->items[i] = (span){ p + i * width, width };
    return 0;
}

/* A capsule from `method`, of version 1 if its producer knows it; older producers have no parameter
 * max_version. */
static PyObject *capsule_of(PyObject *method)
{
    PyObject *none = PyTuple_New(0),
             *newest = none ? Py_BuildValue("{s(ii)}", "max_version", 1, 0) : NULL;
    PyObject *capsule = newest ? PyObject_Call(method, none, newest) : NULL;
    if (newest && !capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_CallNoArgs(method);
    }
    Py_XDECREF(none);
    Py_XDECREF(newest);
    return capsule;
}

/* The tensor in a capsule. The capsule is not renamed, so that its destructor frees the tensor when
 * the batch drops it. */
static const dl_tensor *tensor_of(state *st, PyObject *capsule, const char *name)
{
    if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        dl_managed *plain = PyCapsule_GetPointer(capsule, "dltensor");
        return plain ? &plain->t : NULL;
    }
    dl_versioned *m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (m && m->major == 1) return &m->t;
    refuse(st, "%s: a DLPack array of an unknown version", name);
    return NULL;
}

int batch_of_dlpack(state *st, batch *b, PyObject *o, const char *name)
{
    PyObject *method;
    if (method_of(&method, o, "__dlpack__")) return -1;
    if (!method) return 1;
    b->keep = capsule_of(method);
    Py_DECREF(method);
    const dl_tensor *t = b->keep ? tensor_of(st, b->keep, name) : NULL;
    return t ? of_tensor(st, b, t, name) : -1;
}
