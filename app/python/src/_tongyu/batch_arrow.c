/* Batches from Arrow: the PyCapsule interface (__arrow_c_array__, __arrow_c_stream__) over the C
 * data interface. Supported: binary, utf8 and their large forms, fixed-size binary, and the views
 * of binary and utf8; slices, chunks and nulls. spec:
 * https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html, Columnar.html */
#include "batch.h"
#include <stdlib.h>
#include <string.h>

/* The structures of the specification, field by field. */
typedef struct arrow_schema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct arrow_schema **children, *dictionary;
    void (*release)(struct arrow_schema *);
    void *private_data;
} arrow_schema;

typedef struct arrow_array {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct arrow_array **children, *dictionary;
    void (*release)(struct arrow_array *);
    void *private_data;
} arrow_array;

typedef struct arrow_stream {
    int (*get_schema)(struct arrow_stream *, arrow_schema *);
    int (*get_next)(struct arrow_stream *, arrow_array *);
    const char *(*get_last_error)(struct arrow_stream *);
    void (*release)(struct arrow_stream *);
    void *private_data;
} arrow_stream;

/* The chunks of a stream, which the batch releases. */
typedef struct chunks {
    size_t n, room;
    arrow_array *all;
} chunks;

static void drop_chunks(batch *b)
{
    chunks *c = b->held;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace); /* a release in Python must not start with an error set */
    for (size_t i = 0; i < c->n; i++)
        if (c->all[i].release) c->all[i].release(&c->all[i]);
    PyErr_Restore(type, value, trace);
    PyMem_Free(c->all);
    PyMem_Free(c);
}

/* --- One array --- */

typedef struct layout {
    char kind; /* z: offsets of 32 bits, Z: of 64, w: fixed width, v: views */
    size_t width;
} layout;

/* The width after "w:": digits alone, and at most 2^31 - 1. */
static int read_width(state *st, layout *l, const char *digits, const char *name)
{
    size_t n = strspn(digits, "0123456789");
    l->width = strtoul(digits, NULL, 10);
    if (n > 0 && n <= 10 && !digits[n] && l->width <= INT32_MAX) return 0;
    refuse(st, "%s: an Arrow array's fixed width is '%s' bytes: it must be from 0 to 2147483647",
           name, digits);
    return -1;
}

static int read_format(state *st, layout *l, const char *format, const char *name)
{
    l->width = 0;
    if (!format) format = "";
    if (!strcmp(format, "z") || !strcmp(format, "u")) l->kind = 'z';
    else if (!strcmp(format, "Z") || !strcmp(format, "U")) l->kind = 'Z';
    else if (!strcmp(format, "vz") || !strcmp(format, "vu")) l->kind = 'v';
    else if (!strncmp(format, "w:", 2)) {
        l->kind = 'w';
        return read_width(st, l, format + 2, name);
    } else {
        refuse(st,
               "%s: an Arrow array of binary, fixed-size binary or string is needed, and this "
               "one's format is '%s'",
               name, format);
        return -1;
    }
    return 0;
}

/* Whether the buffers that every item needs are present. An array without items needs none. */
static int is_whole(const arrow_array *a, const layout *l)
{
    const size_t widest = l->width > 16 ? l->width : 16; /* of an item in one of these buffers */
    if (a->length == 0) return 1;
    if (a->offset < 0 || (uint64_t)a->offset > PY_SSIZE_T_MAX / widest
        || (uint64_t)a->length >= PY_SSIZE_T_MAX / widest - (uint64_t)a->offset)
        return 0;
    if (!a->buffers || a->n_buffers < (l->kind == 'w' ? 2 : 3)) return 0;
    if (l->kind == 'v' && a->n_buffers > 3 && !a->buffers[a->n_buffers - 1]) return 0;
    return a->buffers[1] || (l->kind == 'w' && l->width == 0);
}

static int is_null(const arrow_array *a, size_t i)
{
    const uint8_t *valid = a->buffers[0];
    return valid && a->null_count != 0 && !(valid[i >> 3] >> (i & 7) & 1);
}

/* The buffers of a foreign producer need not be aligned, hence memcpy. */
static int64_t offset_of(const arrow_array *a, char kind, size_t i)
{
    const uint8_t *p = a->buffers[1];
    int32_t narrow;
    int64_t wide;
    if (kind == 'z') return memcpy(&narrow, p + 4 * i, 4), narrow;
    return memcpy(&wide, p + 8 * i, 8), wide;
}

static const uint8_t nothing[1];

/* *out = the string between offsets i and i + 1. -1 if they decrease, or exceed the last offset
 * (end), which bounds the data. */
static int string_at(span *out, const arrow_array *a, char kind, size_t i, size_t end)
{
    int64_t from = offset_of(a, kind, i), to = offset_of(a, kind, i + 1);
    if (from < 0 || from > to || to > offset_of(a, kind, end)) return -1;
    *out = (span){ nothing, (size_t)(to - from) };
    if (from == to) return 0;
    if (!a->buffers[2]) return -1;
    out->p = (const uint8_t *)a->buffers[2] + from;
    return 0;
}

/* A view: a length, and either up to 12 bytes, or a prefix, the number of a buffer and an offset in
 * it. The last buffer has the sizes of these buffers. -1 if the view is not within them. */
static int view_at(span *out, const arrow_array *a, size_t i)
{
    const uint8_t *v = (const uint8_t *)a->buffers[1] + 16 * i;
    struct {
        int32_t len, prefix, buffer, place;
    } f;
    int64_t size;
    memcpy(&f, v, sizeof f);
    if (f.len < 0) return -1;
    *out = (span){ v + 4, (size_t)f.len };
    if (f.len <= 12) return 0;
    if (f.buffer < 0 || f.buffer >= a->n_buffers - 3 || f.place < 0) return -1;
    memcpy(&size, (const uint8_t *)a->buffers[a->n_buffers - 1] + 8 * (size_t)f.buffer, 8);
    const uint8_t *data = a->buffers[2 + f.buffer];
    if (!data || (int64_t)f.place + f.len > size) return -1;
    out->p = data + f.place;
    return 0;
}

static int item_at(span *out, const arrow_array *a, const layout *l, size_t i, size_t end)
{
    if (l->kind == 'v') return view_at(out, a, i);
    if (l->kind != 'w') return string_at(out, a, l->kind, i, end);
    *out = (span){ l->width ? (const uint8_t *)a->buffers[1] + i * l->width : nothing, l->width };
    return 0;
}

static int fill(state *st, span *out, const arrow_array *a, const layout *l, const char *name)
{
    size_t first = (size_t)a->offset, n = (size_t)a->length;
    if (!is_whole(a, l)) {
        refuse(st, "%s: an Arrow array without the buffers of its layout: create it again", name);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_null(a, first + i)) out[i] = (span){ NULL, MISSING };
        else if (item_at(&out[i], a, l, first + i, first + n)) {
            refuse(st, "%s: offset %zu decreases or is beyond the data", name, i);
            return -1;
        }
    }
    return 0;
}

/* --- An array, and a stream of them --- */

/* Adds the length of an array to *n; a broken producer may give a negative one. */
static int count_items(state *st, size_t *n, const arrow_array *a, const char *name)
{
    if (a->length < 0 || (uint64_t)a->length > PY_SSIZE_T_MAX - *n) {
        refuse(st, "%s: an Arrow array has a length of %lld: create it again", name,
               (long long)a->length);
        return -1;
    }
    *n += (size_t)a->length;
    return 0;
}

static int of_array(state *st, batch *b, PyObject *pair, const char *name)
{
    layout l;
    size_t n = 0;
    b->keep = pair;
    const arrow_schema *schema =
        PyTuple_Check(pair) && PyTuple_Size(pair) == 2
            ? PyCapsule_GetPointer(PyTuple_GetItem(pair, 0), "arrow_schema")
            : NULL;
    const arrow_array *array =
        schema ? PyCapsule_GetPointer(PyTuple_GetItem(pair, 1), "arrow_array") : NULL;
    if (!array) {
        if (!PyErr_Occurred())
            refuse(st, "%s: __arrow_c_array__ returned no pair of capsules", name);
        return -1;
    }
    if (!schema->release || !array->release) {
        refuse(st, "%s: an Arrow array that was released already: create it again", name);
        return -1;
    }
    if (read_format(st, &l, schema->format, name) || count_items(st, &n, array, name)
        || batch_reserve(b, n))
        return -1;
    return fill(st, b->items, array, &l, name);
}

static int add_chunk(chunks *c, const arrow_array *a)
{
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 4;
        arrow_array *more = PyMem_Realloc(c->all, room * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            return -1;
        }
        c->all = more;
        c->room = room;
    }
    c->all[c->n++] = *a;
    return 0;
}

static int read_chunks(state *st, chunks *c, arrow_stream *s, const char *name)
{
    for (;;) {
        arrow_array a = { 0 };
        if (s->get_next(s, &a)) {
            const char *why = s->get_last_error ? s->get_last_error(s) : NULL;
            refuse(st, "%s: the Arrow stream failed: %s", name, why ? why : "no reason given");
            return -1;
        }
        if (!a.release) return 0;
        if (add_chunk(c, &a)) {
            a.release(&a);
            return -1;
        }
    }
}

static int of_chunks(state *st, batch *b, arrow_stream *s, const char *name)
{
    arrow_schema schema = { 0 };
    layout l;
    chunks *c = b->held = PyMem_Calloc(1, sizeof *c);
    if (!c) {
        PyErr_NoMemory();
        return -1;
    }
    b->done = drop_chunks;
    if (!s->release || !s->get_schema || !s->get_next) {
        refuse(st, "%s: an Arrow stream that was released already: create it again", name);
        return -1;
    }
    if (s->get_schema(s, &schema)) {
        refuse(st, "%s: the Arrow stream returned no schema", name);
        return -1;
    }
    int bad = read_format(st, &l, schema.format, name);
    if (schema.release) schema.release(&schema);
    if (bad || read_chunks(st, c, s, name)) return -1;
    size_t n = 0, at = 0;
    for (size_t i = 0; i < c->n; i++)
        if (count_items(st, &n, &c->all[i], name)) return -1;
    if (batch_reserve(b, n)) return -1;
    for (size_t i = 0; i < c->n; at += (size_t)c->all[i].length, i++)
        if (fill(st, b->items + at, &c->all[i], &l, name)) return -1;
    return 0;
}

/* *capsule = the result of o's method of this name, or NULL where o does not have one.
 * -1 with an exception */
static int ask(PyObject **capsule, PyObject *o, const char *method)
{
    PyObject *call;
    *capsule = NULL;
    if (method_of(&call, o, method)) return -1;
    if (!call) return 0;
    *capsule = PyObject_CallNoArgs(call);
    Py_DECREF(call);
    return *capsule ? 0 : -1;
}

int batch_of_arrow(state *st, batch *b, PyObject *o, const char *name)
{
    PyObject *capsule;
    if (ask(&capsule, o, "__arrow_c_array__")) return -1;
    if (capsule) return of_array(st, b, capsule, name);
    if (ask(&capsule, o, "__arrow_c_stream__")) return -1;
    if (!capsule) return 1;
    b->keep = capsule;
    arrow_stream *s = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    return s ? of_chunks(st, b, s, name) : -1;
}
