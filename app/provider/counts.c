/* Statistics, in the provider's own memory or in a file, named by the configuration, that its
 * processes share: so another program can see what this provider did, even after a server was
 * killed. */
#include "provider.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_ROW(id, text) { text, 0 },
static const prov_count_row names[PROV_COUNT_END] = { PROV_COUNTS(NAME_ROW) };

/* Room on the disk for the whole file: in one with holes, counting would end the process with
 * SIGBUS if the disk is full. A file system that cannot reserve room may have holes. */
static int reserve(int fd)
{
    int err = posix_fallocate(fd, 0, sizeof names);
    return err == 0
           || ((err == EOPNOTSUPP || err == EINVAL) && ftruncate(fd, sizeof names) == 0);
}

static prov_count_row *map(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0) return NULL;
    void *p = MAP_FAILED;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) /* no other file is overwritten */
        && (st.st_size == (off_t)sizeof names || st.st_size == 0) && reserve(fd))
        p = mmap(NULL, sizeof names, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

void prov_counts_open(prov_ctx *ctx)
{
    const char *path = NULL;
    OSSL_PARAM ask[] = {
        { "statistics", OSSL_PARAM_UTF8_PTR, &path, sizeof path, OSSL_PARAM_UNMODIFIED }, PROV_END
    };
    ctx->counts = ctx->own_counts;
    memcpy(ctx->own_counts, names, sizeof names);
    if (!ctx->get_params || !ctx->get_params(ctx->core, ask) || !path) return;
    prov_count_row *shared = map(path);
    if (!shared) {
        prov_fail(ctx, PROV_BAD_PARAMETER,
                  "cannot write the file \"%s\" of \"statistics\", so each process counts for "
                  "itself; make it writable or remove that line from openssl.cnf",
                  path);
        return;
    }
    for (int i = 0; i < PROV_COUNT_END; i++)
        memcpy(shared[i].name, names[i].name, sizeof names[i].name);
    ctx->counts = shared;
    ctx->counts_mapped = 1;
}

void prov_counts_close(prov_ctx *ctx)
{
    if (ctx->counts_mapped) munmap(ctx->counts, sizeof names);
    ctx->counts = ctx->own_counts;
    ctx->counts_mapped = 0;
}
