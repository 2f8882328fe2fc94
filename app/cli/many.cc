#include "many.hpp"
#include "signals.hpp"
#include "system.hpp"

#include <algorithm>
#include <cstdio>

void Many::add_options(CLI::App *app, const std::string &help)
{
    app->add_option("file", files, help)->type_name("FILE");
    add_number(app, "-j,--jobs", threads, 1, 64,
               "Threads for many files (default: one for each CPU)");
}

void Many::add_beside(CLI::App *app, const std::string &help)
{
    app->add_flag("--beside", beside, help);
}

bool is_directory(const std::string &path)
{
    FileStat st;
    return !path.empty() && stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

std::string name_beside(const std::string &in, const std::string &suffix, const std::string &dir)
{
    if (dir.empty()) return in + suffix;
    const size_t slash = in.find_last_of(PATH_ENDS);
    return dir + (ends_directory(dir.back()) ? "" : "/") +
           (slash == std::string::npos ? in : in.substr(slash + 1)) + suffix;
}

std::vector<FileJob> Many::plan(const std::string &out, const std::vector<std::string> &keys,
                                bool force,
                                const std::function<std::string(const std::string &)> &name) const
{
    if (!out.empty() && !is_directory(out))
        throw Failure(EXIT_USAGE,
                      out + ": not a directory, and there is a result for each of " +
                          count_of(files.size(), "file"),
                      "omit -o to write each beside its file, or name a directory that exists");
    std::vector<FileJob> jobs;
    std::vector<std::string> outputs;
    for (const auto &file : files) {
        if (file == "-")
            throw Failure(EXIT_USAGE, "stdin cannot be among other files",
                          "omit -, or the other files");
        FileJob job;
        job.in = file;
        job.attempt([&] { job.out = name(file); });
        if (!job.out.empty()) outputs.push_back(job.out);
        jobs.push_back(std::move(job));
    }
    std::vector<std::string> kept = keys;
    if (force) kept.insert(kept.end(), files.begin(), files.end());
    refuse_same_file(outputs, kept);
    refuse_two_stdins(keys);
    return jobs;
}

/* --- groups ----------------------------------------------- */

/* Small files form groups that fill the vector registers of every kernel, unless that would leave
 * threads without work. */
constexpr size_t GROUP_MAX = 64;
constexpr long long GROUP_BYTES = 1 << 20;

struct Group {
    size_t from, n;
    bool done = false;
};

static long long size_of(const FileJob &job)
{
    FileStat st;
    return job.in != "-" && stat(job.in.c_str(), &st) == 0 && S_ISREG(st.st_mode)
               ? static_cast<long long>(st.st_size)
               : -1;
}

/* total = the bytes of all files, or -1 if that is not known */
static std::vector<Group> make_groups(const std::vector<FileJob> &jobs, unsigned threads,
                                      long long &total)
{
    const size_t most = std::min(GROUP_MAX, std::max<size_t>(1, jobs.size() / (4 * threads)));
    std::vector<Group> groups;
    long long bytes = 0;
    total = 0;
    for (size_t i = 0; i < jobs.size(); i++) {
        const long long size = size_of(jobs[i]);
        total = size < 0 || total < 0 ? -1 : total + size;
        const bool joins =
            !groups.empty() && groups.back().n < most && size >= 0 && bytes + size <= GROUP_BYTES;
        if (joins) groups.back().n++;
        else groups.push_back({i, 1});
        bytes = joins ? bytes + size : size < 0 ? GROUP_BYTES : size;
    }
    return groups;
}

/* What the threads share. */
struct Shared {
    std::vector<FileJob> &jobs;
    std::vector<Group> groups;
    const GroupWork &work;
    const std::function<void(FileJob &)> &done;
    Progress bar;
    std::mutex telling;
    size_t reported = 0;       /* groups that `done` was called for */
    std::exception_ptr failed;   /* an error that concerns no single file */

    void run(Group &g)
    {
        try {
            work(&jobs[g.from], g.n, bar);
        } catch (...) {   /* an error of the group counts for each of its files */
            const std::exception_ptr e = std::current_exception();
            for (size_t i = 0; i < g.n; i++)
                jobs[g.from + i].attempt([&e] { std::rethrow_exception(e); });
        }
        try {
            const std::lock_guard<std::mutex> lock(telling);
            g.done = true;
            bar.clear();   /* `done` prints in its place */
            for (; reported < groups.size() && groups[reported].done; reported++) {
                const auto &group = groups[reported];
                for (size_t i = 0; i < group.n; i++) done(jobs[group.from + i]);
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(telling);
            if (!failed) failed = std::current_exception();
        }
    }
};

/* Runs the groups `from` to `to` - 1, on one thread. */
static ty_err part(void *ctx, size_t from, size_t to)
{
    auto *s = static_cast<Shared *>(ctx);
    take_sigpipe();
    for (size_t i = from; i < to; i++) s->run(s->groups[i]);
    return TY_OK;
}

static unsigned thread_count(unsigned asked)
{
    return asked ? asked : std::min(cpu_count(), 64u);
}

void run_groups(std::vector<FileJob> &jobs, unsigned threads, bool progress, const GroupWork &work,
                const std::function<void(FileJob &)> &done)
{
    long long total = 0;
    std::vector<Group> groups = make_groups(jobs, thread_count(threads), total);
    Shared s{jobs,
             std::move(groups),
             work,
             done,
             {jobs.size() == 1 ? jobs[0].in : count_of(jobs.size(), "file"), total, progress},
             {},
             0,
             {}};
    check(ty_parallel(s.groups.size(), 1, threads, part, &s), "threads");
    if (s.failed) std::rethrow_exception(s.failed);
}

int run_one(Context &ctx, FileJob &job, const GroupWork &work, bool makes_output)
{
    const long long size = size_of(job);
    Progress bar(job.in, size, !ctx.quiet && !(makes_output && goes_to_terminal(job.out)));
    work(&job, 1, bar);
    ctx.result.update(job.row);
    if (job.failure) throw *job.failure;
    return EXIT_GOOD;
}

/* --- summaries ----------------------------------------------- */

std::string count_of(size_t n, const std::string &what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string failed_text(const std::vector<std::string> &failed, size_t all)
{
    constexpr size_t named = 10;
    std::string text = std::to_string(failed.size()) + " of " + count_of(all, "file") + " failed:";
    for (size_t i = 0; i < std::min(named, failed.size()); i++)
        text += (i ? ", " : " ") + failed[i];
    return failed.size() > named ? text + " and " + std::to_string(failed.size() - named) + " more"
                                 : text;
}

void tell_failure(Context &ctx, Json &row, const Failure &f)
{
    row["error"] = f.what();
    if (!f.next.empty()) row["hint"] = f.next;
    row["exit"] = static_cast<int>(f.status);
    if (ctx.json) return;
    std::fflush(stdout);   /* keeps the order if both go to the same place */
    std::fprintf(stderr, "tongyu: %s\n", f.line().c_str());
}

int run_many(Context &ctx, std::vector<FileJob> &jobs, unsigned threads,
             const std::string &done_word, const GroupWork &work,
             const std::function<void(const FileJob &)> &good)
{
    Json rows = Json::array();
    std::vector<std::string> failed;
    run_groups(jobs, threads, !ctx.quiet, work, [&](FileJob &job) {
        Json row = {{"file", job.in}};
        row.update(job.row);
        if (job.failure) {
            failed.push_back(job.in);
            tell_failure(ctx, row, *job.failure);
        } else if (good) {
            good(job);
        }
        rows.push_back(std::move(row));
    });
    ctx.result["files"] = std::move(rows);
    ctx.result["failed"] = failed.size();
    if (failed.empty()) {
        if (!ctx.quiet && !ctx.json)
            std::fprintf(stderr, "%s %s\n", count_of(jobs.size(), "file").c_str(),
                         done_word.c_str());
        return EXIT_GOOD;
    }
    ctx.result["error"] = failed_text(failed, jobs.size());
    if (!ctx.json) std::fprintf(stderr, "tongyu: %s\n", failed_text(failed, jobs.size()).c_str());
    return EXIT_REFUSED;
}
