/* Puts errors on OpenSSL's queue, through the core's upcalls; allocates, copies and frees memory.
 * Every message begins with "tongyu", whatever name the configuration gives the module. */
#include "provider.h"
#include <stdarg.h>
#include <stdio.h>

static void queue(const prov_ctx *ctx, uint32_t reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ctx->vset_error(ctx->core, reason, format, args);
    va_end(args);
}

int prov_fail_at(const prov_ctx *ctx, const char *file, int line, const char *func,
                 prov_reason reason, const char *format, ...)
{
    char text[400];
    va_list args;
    if (!ctx || !ctx->new_error || !ctx->vset_error) return 0;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->new_error(ctx->core);
    const char *name = strrchr(file, '/');
    if (ctx->set_error_debug) ctx->set_error_debug(ctx->core, name ? name + 1 : file, line, func);
    queue(ctx, (uint32_t)reason, "tongyu: %s", text);
    return 0;
}

static prov_reason reason_of(ty_err err)
{
    switch (err) {
    case TY_ERR_ARG: return PROV_BAD_PARAMETER;
    case TY_ERR_SIZE: return PROV_BAD_LENGTH;
    case TY_ERR_KEY: return PROV_BAD_KEY;
    case TY_ERR_FORMAT: return PROV_BAD_ENCODING;
    case TY_ERR_STATE: return PROV_BAD_STATE;
    case TY_ERR_UNSUPPORTED: return PROV_NOT_HERE;
    case TY_ERR_MEM: return PROV_NO_MEMORY;
    default: return PROV_FAILED;
    }
}

int prov_check_at(const prov_ctx *ctx, const char *file, int line, const char *func, ty_err err,
                  const char *what)
{
    if (err == TY_OK) return 1;
    return prov_fail_at(ctx, file, line, func, reason_of(err), "%s: %s", what, ty_err_text(err));
}

void *prov_new(const prov_ctx *ctx, size_t len)
{
    void *p = calloc(1, len ? len : 1);
    if (!p) prov_fail(ctx, PROV_NO_MEMORY, "no memory for %zu bytes", len);
    return p;
}

void *prov_copy(const prov_ctx *ctx, const void *p, size_t len)
{
    void *q = prov_new(ctx, len);
    if (q && len) memcpy(q, p, len);
    return q;
}

void prov_delete(void *p, size_t len)
{
    if (!p) return;
    ty_wipe(p, len);
    free(p);
}
