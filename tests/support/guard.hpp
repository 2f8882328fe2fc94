// A buffer whose last byte touches an unmapped page (or whose first byte does): one byte too far is a crash.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

class Guarded {
public:
    enum Side { End, Start };
    explicit Guarded(size_t n, Side side = End) : size_(n)
    {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (n + page - 1) / page * page + page;
        total_ = room + page;   // unmapped page | room | unmapped page
        base_ = (uint8_t *)mmap(nullptr, total_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        const size_t open = room - page;   // QEMU refuses an mprotect of nothing, Linux does not
        if (base_ == MAP_FAILED || (open && mprotect(base_ + page, open, PROT_READ | PROT_WRITE) != 0)) {
            std::perror("Guarded");
            std::abort();
        }
        data_ = side == End ? base_ + room - n : base_ + page;
    }
    Guarded(const void *p, size_t n, Side side = End) : Guarded(n, side) { if (n) std::memcpy(data_, p, n); }
    ~Guarded() { munmap(base_, total_); }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    uint8_t *data() { return data_; }
    void freeze()   // nobody writes it any more
    {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE), open = total_ - 2 * page;
        if (open && mprotect(base_ + page, open, PROT_READ) != 0) std::abort();
    }
    size_t size() const { return size_; }

private:
    uint8_t *base_, *data_;
    size_t size_, total_;
};
