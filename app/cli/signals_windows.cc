/* What must not stay behind when the process ends on Windows: temporary files, a console without
 * echo, secrets in a dump. */
#if defined(_WIN32)
#include "signals.hpp"

#include <cstdio>
#include <io.h>
#include <windows.h>

constexpr int PENDING_MAX = 256;   /* a few for each of 64 threads */
static char pending[PENDING_MAX][sizeof(ty_file::temp)];   /* the temporary files that exist now */
static bool is_pending[PENDING_MAX];

static HANDLE quiet_console = INVALID_HANDLE_VALUE;
static DWORD echoing;   /* the console's mode before its echo was turned off */

/* Ctrl-C and similar events call the handler in a thread of its own: what it reads is changed only
 * under this lock. */
namespace {
struct Lock {   /* verb_keys.cc has another type of this name */
    CRITICAL_SECTION section;
    Lock() { InitializeCriticalSection(&section); }
};
}
static Lock lock;

static BOOL WINAPI on_control(DWORD)
{
    EnterCriticalSection(&lock.section);   /* for ever, as the process ends */
    for (int i = 0; i < PENDING_MAX; i++)
        if (is_pending[i]) DeleteFileA(pending[i]);   /* an open one vanishes as the process ends */
    if (quiet_console != INVALID_HANDLE_VALUE) {
        /* Otherwise half a password would be the shell's next command. */
        FlushConsoleInputBuffer(quiet_console);
        SetConsoleMode(quiet_console, echoing);
    }
    return FALSE;   /* Windows then ends the process */
}

void take_sigpipe() {}

void clean_up_on_signals() { SetConsoleCtrlHandler(on_control, TRUE); }

/* Error reporting would write a dump, which holds keys and passwords. */
void no_core_files() { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); }

SignalsHeld::SignalsHeld() { EnterCriticalSection(&lock.section); }
SignalsHeld::~SignalsHeld() { LeaveCriticalSection(&lock.section); }

int remember(const char *temp)
{
    if (!*temp) return -1;   /* a file without a name needs no removal */
    const SignalsHeld held;
    for (int i = 0; i < PENDING_MAX; i++) {
        if (is_pending[i]) continue;
        std::snprintf(pending[i], sizeof pending[i], "%s", temp);
        is_pending[i] = true;
        return i;
    }
    return -1;   /* no verb has this many outputs */
}

void forget(int &slot)
{
    const SignalsHeld held;
    if (slot >= 0) is_pending[slot] = false;
    slot = -1;
}

NoEcho::NoEcho(int terminal) : fd(terminal)
{
    const SignalsHeld held;
    const HANDLE console = reinterpret_cast<HANDLE>(_get_osfhandle(fd));
    if (!GetConsoleMode(console, &echoing)) return;
    quiet_console = console;   /* before the change: restoring an unchanged mode is harmless */
    const DWORD quiet = (echoing & ~static_cast<DWORD>(ENABLE_ECHO_INPUT)) | ENABLE_LINE_INPUT |
                        ENABLE_PROCESSED_INPUT;
    if (!SetConsoleMode(console, quiet)) quiet_console = INVALID_HANDLE_VALUE;
}

NoEcho::~NoEcho()
{
    const SignalsHeld held;
    if (quiet_console == INVALID_HANDLE_VALUE) return;
    SetConsoleMode(quiet_console, echoing);
    quiet_console = INVALID_HANDLE_VALUE;
}
#endif
