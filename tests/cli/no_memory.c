/* Preloaded: after an allocation for a file of 54321 bytes there is no memory for the text of a
 * digest of 32 bytes (64 digits and the end), which is made for the files of a group together. In
 * C: the command brings its C++ library, whose name for "operator new" and exception these are. */
#include <stdlib.h>

enum { FILE_READ = 54322, DIGEST_TEXT = 65 };

void _ZSt17__throw_bad_allocv(void) __attribute__((weak, noreturn));
__attribute__((visibility("default"))) void *_Znwm(size_t len);

void *_Znwm(size_t len)
{
    static int armed;   /* one thread is all that the test wants */
    const int refused = armed && len == DIGEST_TEXT;
    armed = !refused && (armed || len == FILE_READ);
    void *const p = refused ? NULL : malloc(len ? len : 1);
    if (!p && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
    if (!p) abort();
    return p;
}
