/* Batches out of DLPack: the rows of a two-dimensional array of bytes in the memory of the CPU.
 * spec: https://dmlc.github.io/dlpack/latest/c_api.html, version 0 of the structures */
#include "batch.h"

typedef struct dl_tensor {
    void *data;
    struct { int32_t type, id; } device;
    int32_t ndim;
    struct { uint8_t code, bits; uint16_t lanes; } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor t;
    void *ctx;
    void (*deleter)(struct dl_managed *);
} dl_managed;

enum { CPU = 1, INT = 0, UINT = 1 };

static int of_tensor(state *st, batch *b, const dl_tensor *t, const char *name)
{
    int bytes = t->dtype.bits == 8 && t->dtype.lanes == 1 && (t->dtype.code == UINT || t->dtype.code == INT);
    if (t->device.type != CPU || t->ndim != 2 || !bytes) {
        refuse(st, "%s: a DLPack array of bytes in two dimensions in the CPU's memory is wanted", name);
        return -1;
    }
    size_t n = (size_t)t->shape[0], width = (size_t)t->shape[1];
    if (t->strides && n && width && ((width > 1 && t->strides[1] != 1) || (n > 1 && t->strides[0] != (int64_t)width))) {
        PyErr_Format(PyExc_BufferError, "%s must be one contiguous piece of memory: copy it first", name);
        return -1;
    }
    if (batch_reserve(b, n)) return -1;
    const uint8_t *p = (const uint8_t *)t->data + t->byte_offset;
    for (size_t i = 0; i < n; i++) b->items[i] = (span){ p + i * width, width };
    return 0;
}

/* The capsule keeps its own name, so that its destructor frees the tensor when the batch lets go of it. */
int batch_of_dlpack(state *st, batch *b, PyObject *o, const char *name)
{
    if (!PyObject_HasAttrString(o, "__dlpack__")) return 1;
    b->keep = PyObject_CallMethod(o, "__dlpack__", NULL);
    if (!b->keep) return -1;
    dl_managed *m = PyCapsule_GetPointer(b->keep, "dltensor");
    return m ? of_tensor(st, b, &m->t, name) : -1;
}
