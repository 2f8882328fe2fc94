/* When preloaded, makes an allocation fail: the first one for the text of a digest of 32 bytes (64
 * digits and a NUL) after one of a buffer for a file of 54321 bytes. All files hashed together then
 * fail at once. It is written in C, so that no second C++ library is loaded, and therefore uses the
 * mangled names of operator new and of the function that throws std::bad_alloc. */
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
