/* What must not stay behind when the process ends: temporary files, a terminal without echo,
 * secrets in a core file. */
#if !defined(_WIN32)
#include "signals.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/* The temporary files that exist now: a few for each of 64 threads. A slot is free, being filled,
 * or in use. */
constexpr int PENDING_MAX = 256;
enum { FREE, FILLING, USED };
static char pending[PENDING_MAX][sizeof(ty_file::temp)];
static std::atomic<int> pending_state[PENDING_MAX];
static std::atomic<int> held;       /* threads that are creating, listing or naming a file */
static std::atomic<bool> ending;    /* no thread creates or names a file any more */
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads these");

/* the terminal's mode before its echo was turned off, while quiet_fd is not -1 */
static termios echoing;
static volatile sig_atomic_t quiet_fd = -1;

/* Calls only functions that POSIX allows in a handler. In the background the terminal belongs to
 * another process group and is left alone. The handler waits for threads that are creating, listing
 * or naming a file; the interrupted thread is not one of them, because it would have blocked the
 * signal. Other threads continue until raise ends the process: they may write to files, but can no
 * longer create one. */
static void on_signal(int sig)
{
    ending = true;
    while (held.load() > 0) {}
    for (int i = 0; i < PENDING_MAX; i++)
        if (pending_state[i] == USED) unlink(pending[i]);
    const int fd = quiet_fd;
    if (fd >= 0 && tcgetpgrp(fd) == getpgrp()) {
        tcflush(fd, TCIFLUSH);   /* else half a password would be the shell's next command */
        tcsetattr(fd, TCSANOW, &echoing);
        if (write(fd, "\n", 1) < 0) {}   /* for the shell's prompt, a new line */
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

void clean_up_on_signals()
{
    for (const int sig : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU}) {
        struct sigaction old;
        if (sigaction(sig, nullptr, &old) == 0 && old.sa_handler == SIG_DFL) signal(sig, on_signal);
    }
    signal(SIGXFSZ, SIG_IGN);   /* write fails with EFBIG instead: an error like a full disk */
}

void take_sigpipe()
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

/* A core file would hold keys and passwords. The limit keeps the kernel from writing one. It does
 * not apply to a program that receives core files through a pipe (core_pattern), but that program
 * gets none of a process that is not dumpable. */
void no_core_files()
{
    const rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
#if defined(PR_SET_DUMPABLE)
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

SignalsHeld::SignalsHeld()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    held++;
    /* in this order, so that the handler sees held or this thread sees ending */
    if (!ending) return;
    held--;
    for (;;) pause();      /* until the process has ended */
}

SignalsHeld::~SignalsHeld()
{
    held--;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

int remember(const char *temp)
{
    if (!*temp) return -1;   /* a file without a name needs no removal */
    for (int i = 0; i < PENDING_MAX; i++) {
        int expected = FREE;
        if (!pending_state[i].compare_exchange_strong(expected, FILLING)) continue;
        std::snprintf(pending[i], sizeof pending[i], "%s", temp);
        pending_state[i] = USED;
        return i;
    }
    return -1;   /* no verb has this many outputs */
}

void forget(int &slot)
{
    if (slot >= 0) pending_state[slot] = FREE;
    slot = -1;
}

NoEcho::NoEcho(int terminal) : fd(terminal)
{
    if (tcgetattr(fd, &echoing) != 0) return;
    termios quiet = echoing;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    quiet_fd = fd;   /* before the change: restoring an unchanged mode is harmless */
    if (tcsetattr(fd, TCSAFLUSH, &quiet) != 0) quiet_fd = -1;
}

NoEcho::~NoEcho()
{
    if (quiet_fd < 0) return;
    tcsetattr(fd, TCSAFLUSH, &echoing);
    quiet_fd = -1;
}
#endif
