/* The progress bar. */
#include "io.hpp"
#include "system.hpp"

#include <algorithm>
#include <cstdio>

Progress::Progress(std::string what, long long bytes, bool wanted)
    : label(std::move(what)), size(bytes),
      on(wanted && isatty(STDERR_FILENO) && !(label == "-" && isatty(STDIN_FILENO)))
{   /* no bar where the user types the input */
}

void Progress::add(size_t bytes)
{
    using namespace std::chrono;
    done += static_cast<long long>(bytes);
    if (!on || !drawing.try_lock()) return;   /* another thread is drawing */
    const std::lock_guard<std::mutex> lock(drawing, std::adopt_lock);
    const auto now = steady_clock::now();
    const double elapsed = duration<double>(now - begun).count();
    if (elapsed < 1 || now - drawn < milliseconds(100)) return;
    drawn = now;
    shown = true;
    const double mb = static_cast<double>(done.load()) / 1e6;
    if (size <= 0) {
        std::fprintf(stderr, "\r\033[K%s  %.0f MB  %.0f MB/s", label.c_str(), mb, mb / elapsed);
    } else {
        const double part =
            std::min(1.0, static_cast<double>(done.load()) / static_cast<double>(size));
        const int bar = static_cast<int>(part * 24);
        std::fprintf(stderr, "\r\033[K%s  [%.*s%*s] %3.0f %%  %.0f MB/s  %.0f s left",
                     label.c_str(), bar, "========================", 24 - bar, "", part * 100,
                     mb / elapsed, elapsed / part - elapsed);
    }
    std::fflush(stderr);
}

void Progress::clear()
{
    const std::lock_guard<std::mutex> lock(drawing);
    if (shown) std::fputs("\r\033[K", stderr);
    shown = false;
}

Progress::~Progress() { clear(); }
