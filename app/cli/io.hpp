/* Files and pipes: inputs that are read in pieces, outputs that appear whole or not at all. */
#ifndef TONGYU_CLI_IO_HPP
#define TONGYU_CLI_IO_HPP

#include "secret.hpp"
#include "tongyu/os.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

constexpr size_t IO_CHUNK = 256 * 1024;

/* A progress bar on stderr: only on a terminal, only after a second, and not while the input is
 * typed at one. size is -1 if it is not known. Several threads may add to one bar. */
class Progress {
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now(), drawn = begun;
    std::string label;
    std::mutex drawing;
    std::atomic<long long> done{0};
    long long size;
    bool on, shown = false;

public:
    Progress(std::string what, long long bytes, bool wanted);
    ~Progress();
    void add(size_t bytes);
    void clear();   /* hides it until the next add */
};

/* An input by name; "-" or an empty name is stdin. Every failure is a Failure with EXIT_INPUT. */
class Input {
    std::string path;
    int fd;
    bool ended = false;   /* end of file was read: at a terminal one Ctrl-D is enough */

public:
    explicit Input(const std::string &name);
    Input(const Input &) = delete;
    ~Input();
    const std::string &name() const { return path; }
    long long size() const;                     /* bytes that remain to be read; -1 for a pipe */
    size_t read(uint8_t *out, size_t len);      /* len bytes, fewer only at the end */
    /* All that remains; a Failure if it is longer than `limit`, too long for `what` ("a key"). */
    Secret read_all(size_t limit, const std::string &what);
};

/* Calls sink(data, n) for all bytes of `in`, in pieces of at most IO_CHUNK, and advances the bar.
 * Returns the length. A small file needs only a small buffer. */
template <class Sink> uint64_t for_each_piece(Input &in, Progress &bar, Sink &&sink)
{
    const long long size = in.size();
    Secret buf(size >= 0 && size < static_cast<long long>(IO_CHUNK)
                   ? std::max<size_t>(static_cast<size_t>(size), 4096)
                   : IO_CHUNK);
    uint64_t total = 0;
    for (size_t n; (n = in.read(buf.data(), buf.size())) > 0; total += n) {
        sink(buf.data(), n);
        bar.add(n);
    }
    return total;
}

/* The same with a bar of its own, which is drawn if progress is set. */
template <class Sink> uint64_t for_each_piece(Input &in, bool progress, Sink &&sink)
{
    Progress bar(in.name(), in.size(), progress);
    return for_each_piece(in, bar, sink);
}

/* An output by name. A regular file is written under a temporary name in the same directory, and
 * gets its name at commit; without commit it is removed. "-" or an empty name is stdout; devices
 * and pipes are written directly. With HOLD these, too, get nothing before commit: the bytes wait
 * in a nameless temporary file that only this process can read. */
class Output {
    std::string path;
    unsigned flags;
    ty_file file{};
    int direct = -1, spool = -1;   /* `direct` is written at once, or from the spool at commit */
    int slot = -1;                 /* in the list of files that a signal removes */

    void put_direct(const uint8_t *data, size_t len);

public:
    enum { FORCE = 1, PRIVATE = 2, HOLD = 4 };
    Output(const std::string &name, unsigned output_flags);
    Output(const Output &) = delete;
    ~Output();
    const std::string &name() const { return path; }
    bool is_stdout() const { return path == "-"; }
    bool is_direct() const { return direct >= 0; }
    void write(const void *data, size_t len);
    void write(const std::string &text) { write(text.data(), text.size()); }
    void commit();
};

inline unsigned output_flags(bool force, unsigned more = 0)
{
    return (force ? unsigned(Output::FORCE) : 0u) | more;
}

/* Throws, before any work is done, if Output would throw: for an existing file without force, a
 * directory, a file in a directory that does not exist. */
void refuse_output(const std::string &name, bool force);

bool is_special(const std::string &path);   /* a device, pipe or socket */

/* The file that a symbolic link points to; path itself if it is no link, or a dangling one. */
std::string through_links(const std::string &path);

bool goes_to_terminal(const std::string &name);   /* an output to stdout, which is a terminal */

/* Throws if name is stdout and --json writes there, too, or if binary data would go to a
 * terminal. `option` is the one that names another file. */
void refuse_stdout(const std::string &name, bool json, bool binary,
                   const std::string &option = "-o");

inline std::string or_dash(const std::string &name) { return name.empty() ? "-" : name; }

bool is_stdin(const std::string &name);   /* "-", or a device's name for it */

/* stdin can be read once: throws if two of the names are stdin's (an empty name is not counted). */
void refuse_two_stdins(const std::vector<std::string> &names);

/* --force must not replace what this run has written or reads: throws if two outputs are the same
 * file, under whatever names, or an output is one of these inputs (keys and the like). Empty names
 * are not counted. */
void refuse_same_file(const std::vector<std::string> &outputs,
                      const std::vector<std::string> &inputs);

/* Writes and commits two outputs, both of which are open already; the second appears only after the
 * first. */
void write_both(Output &first, const Secret &one, Output &second, const Secret &two);

#endif
