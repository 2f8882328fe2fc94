/* Preloaded, it makes an allocation fail: after one for a file of 54321 bytes there is no memory
 * for the text of a digest of 32 bytes (64 digits and the end), which is made for the files of a
 * group together. It is C, so that the C++ library is the command's, and has the mangled names of
 * operator new and of the function that throws its exception. */
#include <stdlib.h>

enum { FILE_READ = 54322, DIGEST_TEXT = 65 };

void _ZSt17__throw_bad_allocv(void) __attribute__((weak, noreturn));
__attribute__((visibility("default"))) void *_Znwm(size_t len);

void *_Znwm(size_t len)
{
    static int armed;   /* the test uses one thread */
    const int refused = armed && len == DIGEST_TEXT;
    armed = !refused && (armed || len == FILE_READ);
    void *const p = refused ? NULL : malloc(len ? len : 1);
    if (!p && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
    if (!p) abort();
    return p;
}
