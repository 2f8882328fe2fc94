// A buffer that ends right before an inaccessible page (or begins right after one): an access one
// byte too far crashes.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// pages_reserve returns n bytes of pages without access, or NULL; pages_open and pages_freeze make
// some of them accessible, or read-only, and return whether they could; pages_release releases all.
#if defined(_WIN32)
#include <windows.h>
inline size_t page_size() { SYSTEM_INFO info; GetSystemInfo(&info); return info.dwPageSize; }
inline void *pages_reserve(size_t n)
{
    return VirtualAlloc(nullptr, n, MEM_RESERVE, PAGE_NOACCESS);
}
inline bool pages_open(void *p, size_t n)
{
    return VirtualAlloc(p, n, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}
inline bool pages_freeze(void *p, size_t n)
{
    DWORD old;
    return VirtualProtect(p, n, PAGE_READONLY, &old) != 0;
}
inline void pages_release(void *p, size_t) { VirtualFree(p, 0, MEM_RELEASE); }
#else
#include <sys/mman.h>
#include <unistd.h>
inline size_t page_size() { return (size_t)sysconf(_SC_PAGESIZE); }
inline void *pages_reserve(size_t n)
{
    void *p = mmap(nullptr, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? nullptr : p;
}
inline bool pages_open(void *p, size_t n) { return mprotect(p, n, PROT_READ | PROT_WRITE) == 0; }
inline bool pages_freeze(void *p, size_t n) { return mprotect(p, n, PROT_READ) == 0; }
inline void pages_release(void *p, size_t n) { munmap(p, n); }
#endif

class Guarded {
public:
    enum Side { End, Start };
    explicit Guarded(size_t n, Side side = End) : size_(n)
    {
        const size_t page = page_size(), room = (n + page - 1) / page * page + page;
        total_ = room + page;   // guard page | n, rounded up to pages | guard page
        base_ = (uint8_t *)pages_reserve(total_);
        const size_t open = room - page;   // QEMU refuses an mprotect of nothing, Linux does not
        if (!base_ || (open && !pages_open(base_ + page, open))) {
            std::perror("Guarded");
            std::abort();
        }
        data_ = side == End ? base_ + room - n : base_ + page;
    }
    Guarded(const void *p, size_t n, Side side = End) : Guarded(n, side)
    {
        if (n) std::memcpy(data_, p, n);
    }
    ~Guarded() { pages_release(base_, total_); }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    uint8_t *data() { return data_; }
    void freeze()   // makes it read-only
    {
        const size_t page = page_size(), open = total_ - 2 * page;
        if (open && !pages_freeze(base_ + page, open)) std::abort();
    }
    size_t size() const { return size_; }

private:
    uint8_t *base_, *data_;
    size_t size_, total_;
};
