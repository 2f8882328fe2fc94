/* Batches: many byte strings as pointers and lengths, from a list, (offsets, data), an array of
 * rows, Arrow or DLPack. */
#ifndef TONGYU_PY_BATCH_H
#define TONGYU_PY_BATCH_H

#include "py.h"

/* One string of a batch. A missing one (null in Arrow) has no pointer and the length MISSING. */
typedef struct span {
    const uint8_t *p;
    size_t len;
} span;
#define MISSING SIZE_MAX

/* n strings, and the objects that hold their memory. Zeroed before the first use. */
typedef struct batch {
    size_t n;
    span *items;
    PyObject *keep;     /* a tuple of the objects of a list; an Arrow or DLPack capsule; NULL */
    Py_buffer *buffers; /* of the objects of a list, or of whole arrays */
    size_t buffers_n;
    void (*done)(struct batch *); /* releases held, or NULL */
    void *held;
} batch;

/* take_batch: b = the strings of o: a list of buffers, (offsets, data), an Arrow array or a chunked
 * one, or a two-dimensional array of bytes. width is the length that every string must have, 0 for
 * any; missing says whether nulls are allowed; name is what an exception calls o. The caller calls
 * drop_batch in any case.
 * -1 with an exception */
int take_batch(state *st, batch *b, PyObject *o, const char *name, size_t width, int missing);
void drop_batch(batch *b);
/* batch_reserve: b has n items, zeroed. -1 with MemoryError */
int batch_reserve(batch *b, size_t n);
/* same_count: 0 if b has n items, else -1 with an exception. */
int same_count(state *st, const batch *b, size_t n, const char *name);

/* Batches from Arrow and from DLPack. 1 where o is not of that kind, -1 with an exception */
int batch_of_arrow(state *st, batch *b, PyObject *o, const char *name);
int batch_of_dlpack(state *st, batch *b, PyObject *o, const char *name);

/* method_of: *method = o's method of this name, or NULL where it has none.
 * -1 with an exception */
int method_of(PyObject **method, PyObject *o, const char *name);
/* new_bytearray: a bytearray of n bytes; *out points at them. NULL with MemoryError */
PyObject *new_bytearray(uint8_t **out, size_t n);
/* take_threads: *threads = the argument o, 0 to 64; 0, one for each CPU, if it was not given.
 * -1 with TypeError or ValueError */
int take_threads(PyObject *o, unsigned *threads);

/* GCM's batches are methods of its type. gcm_key: the key of an SM4GCM; *tag_len = the length of
 * its tags. */
const ty_sm4_gcm_key *gcm_key(PyObject *self, size_t *tag_len);
PyObject *gcm_seal_many(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);
PyObject *gcm_open_many(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);

#endif
