/* Key files: reading and writing, as far as they are the same for all kinds of keys. */
#include "py.h"
#include <string.h>

#define ITERATIONS 600000 /* as TY_BOX_ITERATIONS */

static int take_form(state *st, file_options *f, PyObject *format, PyObject *prf)
{
    static const char *const formats[] = { "pkcs8", "sec1", NULL };
    static const char *const prfs[] = { "sm3", "sha256", NULL };
    int form = take_choice(format, "format", formats, 0), hash = take_choice(prf, "prf", prfs, 0);
    if (form < 0 || hash < 0) return -1;
    if (form == 1 && f->pass) {
        refuse(st, "format 'sec1' has no encryption: use 'pkcs8' with a password");
        return -1;
    }
    f->form = form == 1  ? TY_KEY_SEC1
              : !f->pass ? TY_KEY_PKCS8
              : hash     ? TY_KEY_PKCS8_PBES2_SHA256
                         : TY_KEY_PKCS8_PBES2;
    return 0;
}

int take_file(state *st, file_options *f, PyObject *const o[5])
{
    static const char *const codings[] = { "pem", "der", NULL };
    size_t iterations;
    memset(f, 0, sizeof *f);
    int coding = take_choice(o[1], "encoding", codings, 0);
    if (coding < 0 || take_size(&iterations, o[3], "iterations", 1, 10000000, ITERATIONS))
        return -1;
    if (take_opt(st, &f->password, o[0], "password")) return -1;
    if (given(o[0])) f->pass = f->password.len ? f->password.buf : "";
    f->coding = (ty_key_coding)coding;
    f->iterations = (uint32_t)iterations;
    if (take_form(st, f, o[2], o[4]) == 0) return 0;
    release(&f->password, 1);
    return -1;
}

PyObject *written(state *st, ty_err err, uint8_t *buf, size_t len, size_t room)
{
    PyObject *bytes = err ? fail(st, err, NULL, NULL)
                          : PyBytes_FromStringAndSize((const char *)buf, (Py_ssize_t)len);
    ty_wipe(buf, room);
    return bytes;
}

static int unreadable(state *st, ty_err err)
{
    const char *hint = NULL;
    if (err == TY_ERR_ARG) err = TY_ERR_KEY, hint = "the key is encrypted: pass password=";
    if (err == TY_ERR_VERIFY) hint = "the password is wrong, or the file is damaged";
    if (err == TY_ERR_UNSUPPORTED)
        hint = "the file holds something else, or its encryption is not supported";
    fail(st, err, st->invalid_key, hint);
    return -1;
}

int read_key_file(state *st, file_reader *read, void *key, PyObject *data, PyObject *password,
                  ty_key_coding coding, int private_key)
{
    Py_buffer b[2] = { 0 };
    ty_err err = TY_OK;
    file_input in = { 0 };
    int bad = take_in(st, &b[0], data, "data") || take_opt(st, &b[1], password, "password");
    if (!bad) {
        in = (file_input){ .data = b[0].buf,
                           .len = (size_t)b[0].len,
                           .pass = !given(password) ? NULL
                                   : b[1].len       ? b[1].buf
                                                    : "",
                           .pass_len = (size_t)b[1].len };
        WITHOUT_GIL(ALWAYS, err = read(&in, key));
    }
    release(b, 2);
    if (bad) return -1;
    if (err) return unreadable(st, err);
    if (in.coding != coding) return unreadable(st, TY_ERR_FORMAT);
    if (in.private_key == private_key) return 0;
    fail(st, TY_ERR_KEY, NULL,
         private_key ? "this file holds a public key" : "this file holds a private key");
    return -1;
}
