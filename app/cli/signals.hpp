/* What is cleaned up when a signal ends the process, and what a crash must not write. */
#ifndef TONGYU_CLI_SIGNALS_HPP
#define TONGYU_CLI_SIGNALS_HPP

#include "tongyu/os.h"

#if defined(_WIN32)
struct SignalMask {};   /* there a lock delays the handler */
#else
#include <csignal>
using SignalMask = sigset_t;
#endif

/* On a signal that ends the process, remove the temporary files first and give the terminal its
 * echo back. */
void clean_up_on_signals();

/* SIGPIPE ends the process on this thread, too, as it ends every filter; threads of ty_parallel
 * block signals. */
void take_sigpipe();

/* No core file, whatever the limits say: it would hold secrets. */
void no_core_files();

/* Blocks signals for as long as this lives, for other threads too: none may come between the
 * creation of a file and its entry in the list. Once a signal is ending the process the constructor
 * does not return. It must not be nested. */
class SignalsHeld {
    [[maybe_unused]] SignalMask before;

public:
    SignalsHeld();
    SignalsHeld(const SignalsHeld &) = delete;
    ~SignalsHeld();
};

/* The list of temporary files that a signal removes: remember adds a name and returns its place,
 * forget removes it. Any thread may call them. */
int remember(const char *temp);
void forget(int &slot);

/* Echo off for as long as this lives; only one at a time. */
class NoEcho {
    int fd;

public:
    explicit NoEcho(int terminal);
    NoEcho(const NoEcho &) = delete;
    ~NoEcho();
};

#endif
