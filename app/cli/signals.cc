/* What must not stay behind when the process ends: temporary files, a terminal without echo, secrets in a core file. */
#include "signals.hpp"

#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

constexpr int PENDING_MAX = 4;
static char pending[PENDING_MAX][sizeof(ty_file::temp)];   /* the temporary files that exist now */
static volatile sig_atomic_t is_pending[PENDING_MAX];

static termios echoing;                       /* the terminal as it was, for as long as it is without echo */
static volatile sig_atomic_t quiet_fd = -1;

/* Only calls that POSIX allows in a handler. In the background the terminal is another's, and stays as it is. */
static void on_signal(int sig)
{
    for (int i = 0; i < PENDING_MAX; i++)
        if (is_pending[i]) unlink(pending[i]);
    const int fd = quiet_fd;
    if (fd >= 0 && tcgetpgrp(fd) == getpgrp()) {
        tcflush(fd, TCIFLUSH);   /* half a password is not the shell's next command */
        tcsetattr(fd, TCSANOW, &echoing);
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

/* A core file would hold keys and passwords. The limit stops the kernel from writing one; a program that receives
 * them through a pipe (core_pattern) is not held by it, but gets nothing of a process that cannot be dumped. */
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
    sigprocmask(SIG_BLOCK, &all, &old);
}

SignalsHeld::~SignalsHeld() { sigprocmask(SIG_SETMASK, &old, nullptr); }

int remember(const char *temp)
{
    for (int i = 0; i < PENDING_MAX; i++) {
        if (is_pending[i]) continue;
        std::snprintf(pending[i], sizeof pending[i], "%s", temp);
        is_pending[i] = 1;
        return i;
    }
    return -1;   /* no verb has as many outputs */
}

void forget(int &slot)
{
    if (slot >= 0) is_pending[slot] = 0;
    slot = -1;
}

NoEcho::NoEcho(int terminal) : fd(terminal)
{
    if (tcgetattr(fd, &echoing) != 0) return;
    termios quiet = echoing;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    quiet_fd = fd;   /* before the change: to restore what has not changed does no harm */
    if (tcsetattr(fd, TCSAFLUSH, &quiet) != 0) quiet_fd = -1;
}

NoEcho::~NoEcho()
{
    if (quiet_fd < 0) return;
    tcsetattr(fd, TCSAFLUSH, &echoing);
    quiet_fd = -1;
}
