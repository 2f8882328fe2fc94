/* Many files through one verb: sign, verify, encrypt, decrypt, hash. Each file is a job. Adjacent
 * jobs form groups, for the batch kernels of the library, and groups are distributed to threads. An
 * error in one file is reported, and does not stop the others. */
#ifndef TONGYU_CLI_MANY_HPP
#define TONGYU_CLI_MANY_HPP

#include "context.hpp"
#include "io.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

bool is_directory(const std::string &path);

/* One file: its name, the name of its output (empty: none, or as the verb decides), its result in
 * JSON, and the reason if it failed. */
struct FileJob {
    std::string in, out;
    Json row = Json::object();
    std::optional<Failure> failure;

    /* Does the work and stores its failure; nothing if the job has failed already. */
    template <class Work> void attempt(Work &&work)
    {
        if (failure) return;
        try {
            work();
        } catch (const Failure &f) {
            failure = f;
        } catch (const std::bad_alloc &) {
            failure = Failure(EXIT_INTERNAL, in + ": out of memory",
                              "give smaller files, or fewer --jobs");
        } catch (const std::exception &e) {
            failure = Failure(EXIT_INTERNAL, in + ": " + e.what());
        }
    }
};

/* The files on the command line, and the number of threads. */
struct Many {
    std::vector<std::string> files;
    uint32_t threads = 0;   /* 0: one for each CPU */
    bool beside = false;    /* --beside */

    void add_options(CLI::App *app, const std::string &help);
    void add_beside(CLI::App *app,
                    const std::string &help);   /* for verbs that write an output for each file */

    /* Whether each file has an output of its own, in its directory or another. Otherwise there is
     * one file, whose output goes to -o or stdout. */
    bool each() const { return files.size() > 1 || beside; }

    /* If -o names a directory, the output of a single file goes there, too. */
    void take_directory(const std::string &out)
    {
        if (files.size() == 1 && files.front() != "-" && is_directory(out)) beside = true;
    }
    /* the name of the single file, or stdin */
    std::string only() const { return files.empty() ? "-" : files.front(); }

    /* The jobs; name(in) is the name of an output, in the directory `out` if that is not empty.
     * Throws, before anything is written, if `out` is neither empty nor a directory, if stdin is
     * among the files, if two outputs have the same name, or if one would replace a key or, with
     * `force`, one of the files. */
    std::vector<FileJob> plan(const std::string &out, const std::vector<std::string> &keys,
                              bool force,
                              const std::function<std::string(const std::string &)> &name) const;
};

/* `work` processes n adjacent jobs, on any thread; it stores failures in them with attempt. `done`
 * is called for every job, in the order of jobs, and by one thread at a time. */
using GroupWork = std::function<void(FileJob *jobs, size_t n, Progress &bar)>;
void run_groups(std::vector<FileJob> &jobs, unsigned threads, bool progress, const GroupWork &work,
                const std::function<void(FileJob &)> &done);

/* One file: its row becomes the result of the verb, and its failure is thrown. No bar is drawn if
 * makes_output is set and the output goes to a terminal. */
int run_one(Context &ctx, FileJob &job, const GroupWork &work, bool makes_output = true);

/* Several files: prints a line for each that failed, and a summary: "3 files signed", or the files
 * that failed. `good` is called for each other file. Exit status 1 if one failed. */
int run_many(Context &ctx, std::vector<FileJob> &jobs, unsigned threads,
             const std::string &done_word, const GroupWork &work,
             const std::function<void(const FileJob &)> &good = {});

/* "2 files"; the text that names those that failed, for the summary and the "error" of --json. */
std::string count_of(size_t n, const std::string &what);
std::string failed_text(const std::vector<std::string> &failed, size_t all);

/* Reports the failure of one file in its row and, without --json, on stderr. */
void tell_failure(Context &ctx, Json &row, const Failure &f);

/* in/letter.txt and ".sig": in/letter.txt.sig, or with dir "out" out/letter.txt.sig. */
std::string name_beside(const std::string &in, const std::string &suffix,
                        const std::string &dir = "");

#endif
