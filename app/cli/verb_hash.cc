/* hash: digests in the look of sha256sum, which --check reads back. */
#include "context.hpp"
#include "digest.hpp"
#include "io.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <sys/stat.h>

/* A name with a newline, a carriage return or a backslash is escaped, and its line starts with a backslash: one line
 * stays one file. */
static std::string escaped(const std::string &name)
{
    std::string out;
    for (const char c : name) {
        if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else out += c;
    }
    return out;
}

/* False for what escaped never writes. */
static bool unescape(std::string &name)
{
    std::string out;
    for (size_t i = 0; i < name.size(); i++) {
        if (name[i] != '\\') {
            out += name[i];
            continue;
        }
        const char c = ++i < name.size() ? name[i] : '\0';
        if (c != '\\' && c != 'n' && c != 'r') return false;
        out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    name = out;
    return true;
}

std::string line_of(const std::string &digest, const std::string &name, bool tag, const char *label)
{
    const std::string shown = escaped(name);
    const std::string start = shown == name ? "" : "\\";
    return start + (tag ? std::string(label) + " (" + shown + ") = " + digest : digest + "  " + shown) + "\n";
}

/* What goes wrong with one file is said, and the others go on. The worst status is the verb's. */
static void report(Context &ctx, Json &row, int &worst, const Failure &f)
{
    row["error"] = ctx.result["error"] = f.what();
    if (!f.next.empty()) row["hint"] = ctx.result["hint"] = f.next;
    if (!ctx.json) std::fprintf(stderr, "tongyu: %s\n", f.line().c_str());
    if (worst != EXIT_REFUSED) worst = f.status;
}

struct Hash {
    std::string alg = "sm3";
    std::vector<std::string> files;
    bool check = false, status = false, tag = false, ignore_missing = false;

    int run(Context &ctx)
    {
        if (!check && (status || ignore_missing))
            throw Failure(EXIT_USAGE, "--status and --ignore-missing go with --check", "omit them");
        if (files.empty()) files.push_back("-");
        return check ? check_lists(ctx) : print(ctx);
    }

    int print(Context &ctx)
    {
        int worst = EXIT_GOOD;
        const HashRow &hash = hash_row(alg);
        Json rows = Json::array();
        digest_files(hash, files, !ctx.quiet, [&](size_t i, const FileDigest &d) {
            Json row = {{"file", files[i]}};
            if (d.failure) {
                report(ctx, row, worst, *d.failure);
            } else {
                row["digest"] = d.hex;
                if (!ctx.json) std::fputs(line_of(d.hex, files[i], tag, hash.label).c_str(), stdout);
            }
            rows.push_back(row);
        });
        ctx.result["alg"] = alg;
        ctx.result["files"] = rows;
        return worst;
    }

    /* "digest  name", "digest *name", "SM3 (name) = digest"; a leading backslash says that the name is escaped. */
    bool parse(std::string line, std::string &digest, std::string &name) const
    {
        const HashRow &hash = hash_row(alg);
        const std::string label = std::string(hash.label) + " (";
        const size_t digits = 2 * hash.len;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const bool escape = !line.empty() && line[0] == '\\';
        if (escape) line.erase(0, 1);
        const size_t close = line.rfind(") = ");
        if (line.compare(0, label.size(), label) == 0 && close != std::string::npos && close >= label.size()) {
            name = line.substr(label.size(), close - label.size());
            digest = line.substr(close + 4);
        } else {
            if (line.size() < digits + 3 || line[digits] != ' ' || (line[digits + 1] != ' ' && line[digits + 1] != '*')) return false;
            digest = line.substr(0, digits);
            name = line.substr(digits + 2);
        }
        if (escape && !unescape(name)) return false;
        for (char &c : digest) {
            if (c >= 'A' && c <= 'F') c = static_cast<char>(c | 32);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
        }
        return digest.size() == digits && !name.empty();
    }

    /* Not there is not the same as not readable. */
    static bool is_missing(const std::string &name)
    {
        struct stat st;
        return name != "-" && stat(name.c_str(), &st) != 0 && errno == ENOENT;
    }

    int check_file(Context &ctx, Json &row, const FileDigest &d, const std::string &wanted, const std::string &name)
    {
        int worst = EXIT_GOOD;
        const bool same = !d.failure && d.hex == wanted;
        row["ok"] = same;
        if (d.failure) {
            report(ctx, row, worst, *d.failure);
            return worst;
        }
        if (!ctx.json && !status && !(same && ctx.quiet))
            std::printf("%s: %s\n", escaped(name).c_str(), same ? "OK" : "FAILED");
        return same ? EXIT_GOOD : EXIT_REFUSED;
    }

    void check_list(Context &ctx, const std::string &list, Json &rows, int &worst)
    {
        Input in(list);
        const Secret text = in.read_all(64 * 1024 * 1024, "a list of digests");
        size_t good = 0, bad = 0, failed = 0, verified = 0;
        std::vector<std::string> wanted, names;
        const char *p = text.chars(), *end = p + text.size();
        while (p < end) {
            const char *eol = std::find(p, end, '\n');
            const std::string line(p, eol);
            p = eol == end ? end : eol + 1;
            std::string digest, name;
            if (line.empty() || line[0] == '#') continue;
            if (!parse(line, digest, name)) {
                bad++;
                continue;
            }
            good++;
            if (ignore_missing && is_missing(name)) continue;
            wanted.push_back(digest);
            names.push_back(name);
        }
        digest_files(hash_row(alg), names, !ctx.quiet, [&](size_t i, const FileDigest &d) {
            Json row = {{"file", names[i]}};
            const int one = check_file(ctx, row, d, wanted[i], names[i]);
            failed += one == EXIT_REFUSED;
            verified += one == EXIT_GOOD;
            if (one == EXIT_REFUSED || worst == EXIT_GOOD) worst = one;
            rows.push_back(row);
        });
        if (good == 0) throw Failure(EXIT_INPUT, in.name() + ": no line of the form \"digest  name\"",
                                     "make the list with tongyu hash");
        if (failed)
            ctx.result["error"] = std::to_string(failed) + " of " + std::to_string(good) + " file(s) do not match";
        if (bad) ctx.warn(in.name() + ": " + std::to_string(bad) + " line(s) of another form were passed over");
        if (failed && !status && !ctx.json)
            std::fprintf(stderr, "tongyu: %zu of %zu file(s) do not match; get them again or make a new list\n",
                         failed, good);
        if (ignore_missing && failed + verified == 0 && worst == EXIT_GOOD) {
            worst = EXIT_REFUSED;
            ctx.result["error"] = in.name() + ": no file was verified";
            if (!status && !ctx.json)
                std::fprintf(stderr, "tongyu: %s: no file was verified; all that it names are missing\n",
                             in.name().c_str());
        }
    }

    int check_lists(Context &ctx)
    {
        int worst = EXIT_GOOD;
        Json rows = Json::array();
        for (const auto &list : files) check_list(ctx, list, rows, worst);
        ctx.result["alg"] = alg;
        ctx.result["files"] = rows;
        ctx.result["valid"] = worst == EXIT_GOOD;
        return worst;
    }
};

void add_hash(CLI::App &root, Context &ctx)
{
    const auto hash = std::make_shared<Hash>();
    CLI::App *app = add_verb(&root, ctx, "hash", "Digests of files, and lists of them checked",
                             [hash, &ctx] { return hash->run(ctx); });
    app->add_option("file", hash->files, "Files (default: stdin)")->type_name("FILE");
    add_choice(app, "--alg", hash->alg, hash_names(), "Algorithm; SHAKE with 32 and 64 bytes of output")->capture_default_str();
    app->add_flag("-c,--check", hash->check, "The files are lists of digests: check what they name");
    app->add_flag("--status", hash->status, "With --check: say nothing, the exit status tells");
    app->add_flag("--ignore-missing", hash->ignore_missing,
                  "With --check: pass over files that are not there, but not all");
    app->add_flag("--tag", hash->tag, "Print SM3 (name) = digest, or another label");
    app->footer("Examples:\n  tongyu hash *.tar > SM3SUMS\n  tongyu hash --check SM3SUMS\n  tongyu hash --alg sha3-256 letter.txt");
}
