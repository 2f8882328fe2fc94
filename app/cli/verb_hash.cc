/* hash: digests in the format of sha256sum, which --check reads. */
#include "digest.hpp"
#include "digest_list.hpp"
#include "system.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

std::string line_of(const std::string &digest, const std::string &name, bool tag, const char *label)
{
    const std::string shown = escaped(name);
    const std::string start = shown == name ? "" : "\\";
    return start +
           (tag ? std::string(label) + " (" + shown + ") = " + digest : digest + "  " + shown) +
           "\n";
}

/* An entry of a list. */
struct Wanted {
    std::string digest;
    size_t line;
};

/* The results of a list: lines of digests, and lines in no known format (bad); files with another
 * digest (failed), files that cannot be read, and files that are verified. */
struct Tally {
    size_t lines = 0, bad = 0, failed = 0, unread = 0, verified = 0;
};

struct Hash {
    std::string alg = "sm3";
    CLI::Option *alg_option = nullptr;
    Many many;
    uint32_t length = 0;
    bool check = false, status = false, tag = false, ignore_missing = false, strict = false,
         warn = false;
    bool no_names = false, raw = false, zero = false;
    bool stdin_taken = false;   /* with --check: as a list, or by a line of one */

    void check_options() const
    {
        const auto refuse = [](const std::string &what, const std::string &next) {
            throw Failure(EXIT_USAGE, what, next);
        };
        if (!check && (status || ignore_missing || strict || warn))
            refuse("--status, --ignore-missing, --strict and --warn need --check", "omit them");
        if (check && (tag || no_names || raw))
            refuse("--tag, --no-names and --raw are for digests that are printed", "omit them");
        if (no_names + raw + tag > 1)
            refuse("--tag, --no-names and --raw exclude each other", "give one");
        if (raw && many.files.size() > 1)
            refuse("--raw takes one file: the end of a digest would not be visible",
                   "hash them one by one");
        if (length && !hash_row(alg).any_length())
            refuse("--length is for shake128 and shake256", "omit it");
    }

    size_t digest_len() const { return length ? length : hash_row(alg).len; }

    int run(Context &ctx)
    {
        check_options();
        if (many.files.empty()) many.files.push_back("-");
        refuse_two_stdins(many.files);   /* two threads would each get a part of it */
        if (raw) refuse_stdout("", ctx.json, true);
        ctx.result["alg"] = alg;
        return check ? check_lists(ctx) : print(ctx);
    }

    void put(const std::string &digest, const std::string &name) const
    {
        if (raw) {
            const Secret bytes = from_hex(digest, "");
            std::fwrite(bytes.data(), 1, bytes.size(), stdout);
            return;
        }
        std::string line =
            no_names ? digest + "\n"
            : zero   ? (tag ? std::string(hash_row(alg).label) + " (" + name + ") = " + digest
                            : digest + "  " + name) +
                         "\n"
                   : line_of(digest, name, tag, hash_row(alg).label);
        if (zero) line.back() = '\0';
        std::fwrite(line.data(), 1, line.size(), stdout);
    }

    int print(Context &ctx)
    {
        std::vector<FileJob> jobs;
        for (const auto &name : many.files) {
            jobs.emplace_back();
            jobs.back().in = name;
        }
        const std::vector<HashTask> tasks(jobs.size(), {&hash_row(alg), digest_len()});
        Json rows = Json::array();
        std::vector<std::string> failed;
        run_groups(
            jobs, many.threads, !ctx.quiet,
            [&](FileJob *part, size_t n, Progress &bar) {
                hash_group(part, &tasks[static_cast<size_t>(part - jobs.data())], n, bar);
            },
            [&](FileJob &job) {
                Json row = {{"file", job.in}};
                row.update(job.row);
                job.row = Json::object();   /* a digest may be 32 MiB of text */
                if (job.failure) {
                    failed.push_back(job.in);
                    tell_failure(ctx, row, *job.failure);
                    ctx.result["error"] = job.failure->what();
                    if (!job.failure->next.empty()) ctx.result["hint"] = job.failure->next;
                } else if (!ctx.json) {
                    put(row["digest"], job.in);
                }
                if (ctx.json) rows.push_back(std::move(row));
            });
        ctx.result["files"] = std::move(rows);
        if (failed.empty()) return EXIT_GOOD;
        if (jobs.size() > 1) {
            ctx.result["error"] = failed_text(failed, jobs.size());
            if (!ctx.json)
                std::fprintf(stderr, "tongyu: %s\n", failed_text(failed, jobs.size()).c_str());
        }
        return EXIT_REFUSED;
    }

    /* --- lists --- */

    /* The hash of a line: the one that it names, or else that of --alg. Null if it names an unknown
     * one, if --alg names another one, or if the length of the digest is wrong. */
    const HashRow *hash_of(const ListLine &line) const
    {
        const std::string name = line.alg.empty() ? alg : line.alg;
        if (alg_option->count() && name != alg) return nullptr;
        for (const auto &row : hash_rows())
            if (name == row.name &&
                (row.any_length() ? !line.alg.empty() || line.digest.size() == 2 * digest_len()
                                  : line.digest.size() == 2 * row.len))
                return &row;
        return nullptr;
    }

    /* Whether the file does not exist; an unreadable file is not missing. */
    static bool is_missing(const std::string &name)
    {
        FileStat st;
        return name != "-" && stat(name.c_str(), &st) != 0 && errno == ENOENT;
    }

    static void say(Context &ctx, const std::string &text)
    {
        if (!ctx.json) std::fprintf(stderr, "tongyu: %s\n", text.c_str());
    }

    void take_stdin(const std::string &place)
    {
        if (stdin_taken)
            throw Failure(EXIT_REFUSED, place + ": names stdin, which can be read only once",
                          "name a file there");
        stdin_taken = true;
    }

    void parse(Context &ctx, const std::string &list, const Secret &text, Tally &t,
               std::vector<FileJob> &jobs, std::vector<Wanted> &wanted,
               std::vector<HashTask> &tasks)
    {
        const char *p = text.chars(), *end = p + text.size();
        for (size_t number = 1; p < end; number++) {
            const char *eol = std::find(p, end, zero ? '\0' : '\n');
            const std::string line(p, eol);
            p = eol == end ? end : eol + 1;
            ListLine parts;
            if (line.empty() || line[0] == '#') continue;
            const bool good = parse_list_line(parts, line, 2 * digest_len(), zero);
            const HashRow *const hash = good ? hash_of(parts) : nullptr;
            if (!hash) {
                t.bad++;
                const std::string what = list + ": line " + std::to_string(number) +
                                         ": not a line of a list of digests" +
                                         (good && !parts.alg.empty() ? " with " + alg : "");
                if (warn && ctx.json) ctx.warnings.push_back(what);
                else if (warn) say(ctx, what);
                continue;
            }
            t.lines++;
            if (ignore_missing && is_missing(parts.name)) continue;
            if (is_stdin(parts.name)) take_stdin(list + ": line " + std::to_string(number));
            jobs.emplace_back();
            jobs.back().in = parts.name;
            tasks.push_back({hash, parts.digest.size() / 2});
            wanted.push_back({parts.digest, number});
        }
    }

    /* Prints the verdict on one file of a list. */
    void judge(Context &ctx, FileJob &job, const Wanted &w, const std::string &list, Json &rows,
               Tally &t) const
    {
        const bool same = !job.failure && job.row["digest"] == w.digest;
        Json row = {{"file", job.in}, {"list", list}, {"line", w.line}, {"ok", same}};
        if (job.failure) tell_failure(ctx, row, *job.failure);
        (job.failure ? t.unread : same ? t.verified : t.failed)++;
        const std::string shown = zero ? job.in : escaped(job.in);
        if (!ctx.json && !status && !(same && ctx.quiet))
            std::printf("%s%s: %s%c", shown == job.in ? "" : "\\", shown.c_str(),
                        same          ? "OK"
                        : job.failure ? "FAILED open or read"
                                      : "FAILED",
                        zero ? '\0' : '\n');
        rows.push_back(std::move(row));
    }

    static std::string unknown_lines(size_t n)
    {
        return count_of(n, "line") +
               (n == 1 ? " is not in a known format" : " are not in a known format");
    }
    std::string see_them(size_t n) const
    {
        return warn ? "see above" : std::string("--warn shows ") + (n == 1 ? "it" : "them");
    }

    /* Prints the summary of a list; returns whether all is well. */
    bool sum_up(Context &ctx, const std::string &list, const Tally &t) const
    {
        const auto wrong = [&](const std::string &what, const std::string &next) {
            ctx.result["error"] = list + ": " + what;
            if (!status) say(ctx, list + ": " + what + "; " + next);
        };
        if (t.lines == 0) {
            wrong("no line with a digest of " + alg + " and a name",
                  "name the list's algorithm with --alg, or make the list with tongyu hash");
            return false;
        }
        if (t.bad && strict)
            wrong(unknown_lines(t.bad), see_them(t.bad));
        else if (t.bad && !status)
            ctx.warn(list + ": " + unknown_lines(t.bad) + "; " + see_them(t.bad));
        if (t.unread)
            wrong(std::to_string(t.unread) + " of " + count_of(t.lines, "file") +
                      " could not be read",
                  "check the names");
        if (t.failed)
            wrong(std::to_string(t.failed) + " of " + count_of(t.lines, "file") +
                      (t.failed == 1 ? " does" : " do") + " not match",
                  "get the files again, make a new list, or name its algorithm with --alg");
        const bool nothing = ignore_missing && t.failed + t.verified + t.unread == 0;
        if (nothing) wrong("no file was verified", "all files that the list names are missing");
        return !nothing && !t.failed && !t.unread && !(t.bad && strict);
    }

    bool check_list(Context &ctx, const std::string &list, Json &rows)
    {
        Tally t;
        std::vector<FileJob> jobs;
        std::vector<Wanted> wanted;
        std::vector<HashTask> tasks;
        parse(ctx, or_dash(list), Input(list).read_all(64 * 1024 * 1024, "a list of digests"), t,
              jobs, wanted, tasks);
        run_groups(
            jobs, many.threads, !ctx.quiet,
            [&](FileJob *part, size_t n, Progress &bar) {
                hash_group(part, &tasks[static_cast<size_t>(part - jobs.data())], n, bar);
            },
            [&](FileJob &job) {
                judge(ctx, job, wanted[static_cast<size_t>(&job - jobs.data())], list, rows, t);
            });
        return sum_up(ctx, list, t);
    }

    int check_lists(Context &ctx)
    {
        bool good = true;
        stdin_taken = std::any_of(many.files.begin(), many.files.end(), is_stdin);
        Json rows = Json::array();
        for (const auto &list : many.files) {
            try {
                good &= check_list(ctx, list, rows);
            } catch (const Failure &f) {
                good = false;
                ctx.result["error"] = f.what();
                ctx.result["hint"] = f.next;
                say(ctx, f.line());
            }
        }
        ctx.result["files"] = std::move(rows);
        ctx.result["valid"] = good;
        return good ? EXIT_GOOD : EXIT_REFUSED;
    }
};

void add_hash(CLI::App &root, Context &ctx)
{
    const auto hash = std::make_shared<Hash>();
    CLI::App *app = add_verb(&root, ctx, "hash", "Compute digests of files, or check lists of them",
                             [hash, &ctx] { return hash->run(ctx); });
    hash->many.add_options(app, "Files (default: stdin)");
    hash->alg_option = add_choice(app, "--alg", hash->alg, hash_names(),
                                  "Algorithm; with --check, of lines that name none")
                           ->capture_default_str();
    add_number(app, "--length", hash->length, 1, 16 * 1024 * 1024,
               "SHAKE: length of the digest in bytes (default: 32 for shake128, 64 for shake256)");
    app->add_flag("--tag", hash->tag, "Print lines such as SM3 (name) = digest");
    app->add_flag("--no-names", hash->no_names, "Print the digests alone");
    app->add_flag("--raw", hash->raw, "Write the digest of one file as bytes");
    app->add_flag(
        "-z,--zero", hash->zero,
        "End lines with a zero byte and leave names as they are, also in the lists of --check");
    app->add_flag("-c,--check", hash->check,
                  "Read the files as lists of digests (of coreutils, BSD or OpenSSL), and check "
                  "what they name");
    app->add_flag("--status", hash->status,
                  "With --check: print no results; only the exit status shows them");
    app->add_flag("--ignore-missing", hash->ignore_missing,
                  "With --check: skip missing files; exit 1 if all are missing");
    app->add_flag("--strict", hash->strict,
                  "With --check: exit 1 also if a line is not in a known format");
    app->add_flag("-w,--warn", hash->warn,
                  "With --check: show the lines that are not in a known format");
    app->footer("The exit status is also 1 if a file cannot be read, as with sha256sum.\n"
                "Examples:\n  tongyu hash *.tar > SM3SUMS\n  tongyu hash --check SM3SUMS\n  tongyu "
                "hash --alg sha3-256 letter.txt");
}
