/* The end that is not a return: signals, and what a crash would write. */
#ifndef TONGYU_CLI_SIGNALS_HPP
#define TONGYU_CLI_SIGNALS_HPP

#include "tongyu/os.h"

#if defined(_WIN32)
struct SignalMask {};   /* a lock holds the handler back there */
#else
#include <csignal>
using SignalMask = sigset_t;
#endif

/* On a signal that ends the process, remove the temporary files first and give the terminal its
 * echo back. */
void clean_up_on_signals();

/* SIGPIPE ends the process on this thread, too, as it does every filter: threads of ty_parallel
 * hold signals back. */
void take_sigpipe();

/* No core file, whatever the limits say: it would hold secrets. */
void no_core_files();

/* Signals wait for as long as this lives, for other threads too: between a file and its place in
 * the list none must come. Once a signal is ending the process the constructor does not return. Not
 * to be nested. */
class SignalsHeld {
    [[maybe_unused]] SignalMask before;

public:
    SignalsHeld();
    SignalsHeld(const SignalsHeld &) = delete;
    ~SignalsHeld();
};

/* The list of temporary files that a signal removes: a place in it for this name, and back. For any
 * thread. */
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
