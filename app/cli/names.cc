/* Checks of the names of inputs and outputs, before any work is done: what would fail at the end or
 * destroy a file is refused. */
#include "io.hpp"
#include "fail.hpp"
#include "system.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <tuple>

bool is_special(const std::string &path)
{
    FileStat st;
    return stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The directory that a new file will be in. */
static std::string directory_of(const std::string &path)
{
    const size_t slash = path.find_last_of(PATH_ENDS);
    if (slash == std::string::npos) return ".";
    return path.substr(0, slash && path[slash] != ':' ? slash : slash + 1);
}

void refuse_output(const std::string &name, bool force)
{
    FileStat st;
    if (name.empty() || name == "-" || is_special(name)) return;
    if (ends_directory(name.back()))
        throw Failure(EXIT_USAGE, name + " is a directory", "name a file in it");
    const std::string dir = directory_of(name);
    if (stat(dir.c_str(), &st) != 0 && errno == ENOENT)
        throw Failure(EXIT_INTERNAL, name + ": there is no directory " + dir,
                      "make it first (mkdir -p " + dir + ")");
    if (stat(name.c_str(), &st) == 0 && S_ISDIR(st.st_mode))
        throw Failure(EXIT_USAGE, name + " is a directory", "name a file in it");
    if (force || lstat(name.c_str(), &st) != 0) return;
    throw Failure(EXIT_USAGE, name + " exists",
                  "nothing was written; use another name, or --force to replace it");
}

bool goes_to_terminal(const std::string &name)
{
    return or_dash(name) == "-" && isatty(STDOUT_FILENO);
}

void refuse_stdout(const std::string &name, bool json, bool binary, const std::string &option)
{
    if (!name.empty() && name != "-") return;
    if (json)
        throw Failure(EXIT_USAGE, "--json and the data cannot both go to stdout",
                      "name an output file with " + option);
    if (binary && goes_to_terminal(name))
        throw Failure(EXIT_USAGE, "the output is binary and stdout is a terminal",
                      "name an output file with " + option + ", or use a pipe");
}

bool is_stdin(const std::string &name)
{
    return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0";
}

void refuse_two_stdins(const std::vector<std::string> &names)
{
    if (std::count_if(names.begin(), names.end(), is_stdin) > 1)
        throw Failure(EXIT_USAGE, "stdin can be read only once",
                      "name a file for all but one of the inputs");
}

/* What a name refers to: a file that exists, or the directory and the last part of the name of one
 * that does not. */
struct Place {
    decltype(FileStat::st_dev) dev = 0;
    decltype(FileStat::st_ino) ino = 0;
    std::string rest;
    bool sink = false;   /* the null device: any number of outputs may go there */

    explicit Place(const std::string &name, int standard)
    {
        FileStat st, null;
        const size_t slash = name.find_last_of(PATH_ENDS);
        if (name == "-" ? fstat(standard, &st) == 0 : stat(name.c_str(), &st) == 0) {
            sink = S_ISCHR(st.st_mode) && stat(NULL_DEVICE, &null) == 0 &&
                   st.st_rdev == null.st_rdev;
        } else if (stat(slash == std::string::npos ? "." : name.substr(0, slash + 1).c_str(),
                        &st) == 0) {
            rest = name.substr(slash + 1);
        } else {
            rest = name;
            return;
        }
        dev = st.st_dev;
        ino = st.st_ino;
    }
    bool operator<(const Place &o) const
    {
        return std::tie(dev, ino, rest) < std::tie(o.dev, o.ino, o.rest);
    }
};

void refuse_same_file(const std::vector<std::string> &outputs,
                      const std::vector<std::string> &inputs)
{
    std::set<Place> read, written;
    for (const auto &input : inputs)
        if (!input.empty() && input != "-") read.insert(Place(input, STDIN_FILENO));
    for (const auto &output : outputs) {
        if (output.empty()) continue;
        const Place place(output, STDOUT_FILENO);
        if (place.sink) continue;
        if (!written.insert(place).second)
            throw Failure(EXIT_USAGE, output + ": two outputs in one file",
                          "give each its own name");
        if (output != "-" && read.count(place))
            throw Failure(EXIT_USAGE, output + ": an input that the output would destroy",
                          "give the output another name");
    }
}
