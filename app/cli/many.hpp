/* Many files through one verb: sign, verify, encrypt, decrypt, hash. Each file is a job; neighbours
 * form groups, which the batch kernels of the library take; groups go to threads. What is wrong
 * with one file is said, and does not stop the others. */
#ifndef TONGYU_CLI_MANY_HPP
#define TONGYU_CLI_MANY_HPP

#include "context.hpp"
#include "io.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

bool is_directory(const std::string &path);

/* One file: its name, where its result goes (empty: nowhere, or where the verb says), its result in
 * JSON, and why it failed. */
struct FileJob {
    std::string in, out;
    Json row = Json::object();
    std::optional<Failure> failure;

    /* Do it, and keep what goes wrong. */
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

/* The names on the command line, and how many threads take them. */
struct Many {
    std::vector<std::string> files;
    uint32_t threads = 0;   /* 0: one for each CPU */
    bool beside = false;

    void add_options(CLI::App *app, const std::string &help);
    void add_beside(CLI::App *app,
                    const std::string &help);   /* for verbs that make a file of each file */

    /* A result for each file, beside it or in a directory; of one file alone it goes to -o or
     * stdout, unless asked for. */
    bool each() const { return files.size() > 1 || beside; }

    /* A directory named with -o takes the result of one file, too. */
    void take_directory(const std::string &out)
    {
        if (files.size() == 1 && files.front() != "-" && is_directory(out)) beside = true;
    }
    std::string only() const { return files.empty() ? "-" : files.front(); }

    /* The jobs, with the name of each result: name(in), in the directory out if that is not empty.
     * Refuses, before anything is written, stdin among many, two results of one name, and results
     * in the place of keys; with force, of the files, too. */
    std::vector<FileJob> plan(const std::string &out, const std::vector<std::string> &keys,
                              bool force,
                              const std::function<std::string(const std::string &)> &name) const;
};

/* work takes neighbours, on any thread; it leaves failures in their jobs, by attempt. done is
 * called for every file in the order of the names, one at a time. */
using GroupWork = std::function<void(FileJob *jobs, size_t n, Progress &bar)>;
void run_groups(std::vector<FileJob> &jobs, unsigned threads, bool progress, const GroupWork &work,
                const std::function<void(FileJob &)> &done);

/* One file: its row becomes the result of the verb, and its failure is thrown. No bar is drawn
 * where the result goes to a terminal. */
int run_one(Context &ctx, FileJob &job, const GroupWork &work, bool makes_output = true);

/* Many: a line for each that failed, and a summary: "3 files signed", or which failed. Exit status
 * 1 if one did. */
int run_many(Context &ctx, std::vector<FileJob> &jobs, unsigned threads,
             const std::string &done_word, const GroupWork &work,
             const std::function<void(const FileJob &)> &good = {});

/* "2 files", and which of them failed, as the summary and the error of --json say it. */
std::string count_of(size_t n, const std::string &what);
std::string failed_text(const std::vector<std::string> &failed, size_t all);

/* What went wrong with one file, in its row and, without --json, on stderr. */
void tell_failure(Context &ctx, Json &row, const Failure &f);

/* in/letter.txt and ".sig": in/letter.txt.sig, or out/letter.txt.sig. */
std::string name_beside(const std::string &in, const std::string &suffix,
                        const std::string &dir = "");

#endif
