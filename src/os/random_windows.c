/* Windows: BCryptGenRandom with the system's preferred generator, available from Windows 7 on. */
#include "os/system.h"

#if defined(_WIN32)
#include <windows.h>

#include <bcrypt.h>

ty_err ty_os_random(uint8_t *out, size_t len)
{
    enum { MOST = 1 << 30 };   /* the length is a ULONG */
    while (len > 0) {
        const ULONG n = len < MOST ? (ULONG)len : MOST;
        if (BCryptGenRandom(NULL, out, n, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) return TY_ERR_RNG;
        out += n;
        len -= n;
    }
    return TY_OK;
}
#endif
