/* macOS, the BSDs and WASI: getentropy, which returns up to 256 bytes at a time and never fewer
 * than requested. */
#define _GNU_SOURCE
#include "os/system.h"

#if defined(__APPLE__) || defined(__OpenBSD__) || defined(__FreeBSD__) || defined(__NetBSD__) ||   \
    defined(__wasi__)
#    include <unistd.h>
#    if defined(__APPLE__)
#        include <sys/random.h>
#    endif

ty_err ty_os_random(uint8_t *out, size_t len)
{
    enum { MOST = 256 };
    while (len > 0) {
        const size_t n = len < MOST ? len : MOST;
        if (getentropy(out, n) != 0) return TY_ERR_RNG;
        out += n;
        len -= n;
    }
    return TY_OK;
}
#endif
