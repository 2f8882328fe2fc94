/* Cleaning up when a signal ends the process, and the prevention of core files. */
#ifndef TONGYU_CLI_SIGNALS_HPP
#define TONGYU_CLI_SIGNALS_HPP

#include "tongyu/os.h"

#if defined(_WIN32)
struct SignalMask {};   /* a lock delays the handler instead */
#else
#include <csignal>
using SignalMask = sigset_t;
#endif

/* On a signal that ends the process, first remove the temporary files and restore the terminal's
 * echo. */
void clean_up_on_signals();

/* Unblocks SIGPIPE in this thread, so that it ends the process as it ends other filters; threads of
 * ty_parallel block signals. */
void take_sigpipe();

/* Prevents core files, which would hold secrets, whatever the limits of the process are. */
void no_core_files();

/* Delays the handling of signals, in other threads as well, while the object exists: no signal is
 * handled between the creation of a file and its entry in the list. Once a signal is ending the
 * process, the constructor does not return. Must not be nested. */
class SignalsHeld {
    [[maybe_unused]] SignalMask before;

public:
    SignalsHeld();
    SignalsHeld(const SignalsHeld &) = delete;
    ~SignalsHeld();
};

/* The list of temporary files that a signal removes: remember adds a name and returns its slot, or
 * -1 if there is nothing to remove; forget removes the entry. Any thread may call them. */
int remember(const char *temp);
void forget(int &slot);

/* Turns the terminal's echo off while the object exists; there must be only one at a time. */
class NoEcho {
    int fd;

public:
    explicit NoEcho(int terminal);
    NoEcho(const NoEcho &) = delete;
    ~NoEcho();
};

#endif
