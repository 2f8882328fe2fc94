/* tongyu: the library on the command line.
 *
 * A verb is a file verb_*.cc: a struct of its options with a run function. The table of verbs and
 * options that CLI11 holds is the only one: --help, the man page, completions and "did you mean"
 * are made from it. A verb fails by throwing a Failure; here it becomes one line on stderr, an exit
 * status, and under --json an object on stdout. */
#include "context.hpp"
#include "signals.hpp"
#include "system.hpp"
#include "usage.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

/* Help that is shorter than CLI11's: the type, whether it is required, and the default. */
struct Help : CLI::Formatter {
    std::string make_option_opts(const CLI::Option *opt) const override
    {
        if (opt->get_items_expected_min() == 0) return "";
        return " " + opt->get_type_name() + (opt->get_expected_max() > 1 ? " ..." : "");
    }
    std::string make_option_desc(const CLI::Option *opt) const override
    {
        const std::string value = opt->get_default_str();
        const bool two_ways = opt->get_positional() && opt->nonpositional();   /* key, or -k key */
        const std::string required = two_ways ? " (required, here or as -k)" : " (required)";
        return opt->get_description() + (opt->get_required() ? required
                                         : value.empty()     ? ""
                                                             : " [" + value + "]");
    }
    std::string make_help(const CLI::App *app, std::string name,
                          CLI::AppFormatMode mode) const override
    {
        std::string text = CLI::Formatter::make_help(app, name, mode);
        for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
        return text;
    }
    std::string make_usage(const CLI::App *app, std::string name) const override
    {
        if (verbs_of(app).empty()) return CLI::Formatter::make_usage(app, name);
        return "Usage: " + (name.empty() ? app->get_name() : name) + " VERB [OPTIONS] [FILE]\n";
    }
};

/* The meanings of the exit statuses, as lines of help. */
static std::string exit_help()
{
    std::string text = "Exit status:\n";
    for (const auto &row : exit_meanings)
        text += "  " + std::to_string(row.status) + "  " + row.text + "\n";
    return text;
}

static void add_verbs(CLI::App &root, Context &ctx)
{
    const auto help = std::make_shared<Help>();
    help->column_width(28);
    root.formatter(help);
    root.require_subcommand(1);
    root.set_version_flag("--version", std::string("tongyu ") + TY_VERSION_STRING,
                          "Show the version");
    add_common(&root, ctx);
    add_keys(root, ctx);
    add_inspect(root, ctx);
    add_sign(root, ctx);
    add_verify(root, ctx);
    add_encrypt(root, ctx);
    add_decrypt(root, ctx);
    add_sm2(root, ctx);
    add_cms(root, ctx);
    add_request(root, ctx);
    add_derive(root, ctx);
    add_exchange(root, ctx);
    add_cipher(root, ctx);
    add_hash(root, ctx);
    add_mac(root, ctx);
    add_kdf(root, ctx);
    add_calc(root, ctx);
    add_curve(root, ctx);
    add_speed(root, ctx);
    add_about(root, ctx);
    add_doctor(root, ctx);
    add_manual(root, ctx);
    root.footer(exit_help() + "\n- is stdin or stdout. More: tongyu VERB --help, tongyu man.");
}

static void limit_tier(const std::string &name)
{
    if (name.empty()) return;
    const ty_err err = ty_tier_limit(name.c_str());
    if (err == TY_OK) return;
    const std::string near = did_you_mean(name, tier_levels());
    if (err == TY_ERR_UNSUPPORTED)
        throw Failure(EXIT_USAGE, "this CPU has no tier " + name, "see tongyu tiers");
    throw Failure(EXIT_USAGE, "unknown tier '" + name + "'",
                  near.empty() ? "see tongyu tiers" : near);
}

static int parse_and_run(CLI::App &root, Context &ctx, int argc, char **argv)
{
    std::vector<std::string> words = check_words(root, argc, argv);
    std::reverse(words.begin(), words.end());   /* CLI11 takes a vector in reverse order */
    try {
        root.parse(words);
    } catch (const CLI::Success &e) {   /* --help, --version */
        return root.exit(e);
    } catch (const CLI::ParseError &e) {
        throw usage(root, e);
    }
    limit_tier(ctx.tier);
    return ctx.run();
}

/* --json anywhere on the line asks for JSON even when the line cannot be parsed. */
static bool json_requested(int argc, char **argv)
{
    for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; i++)
        if (std::strcmp(argv[i], "--json") == 0) return true;
    return false;
}

/* What is printed may fail only when it leaves the buffer. */
static int flush_stdout(int status)
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        const int err = errno;
        std::fprintf(stderr, "tongyu: stdout: %s; %s\n", errno_text(err).c_str(),
                     after_write_error(err).c_str());
        return status ? status : EXIT_INTERNAL;
    }
    return status;
}

static int finish(Context &ctx, int status)
{
    if (ctx.json) {
        if (!ctx.warnings.empty()) ctx.result["warnings"] = ctx.warnings;
        if (status) ctx.result["exit"] = status;
        std::puts(ctx.result.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    }
    return flush_stdout(status);
}

static int fail(Context &ctx, const Failure &f)
{
    std::fflush(stdout);
    std::fprintf(stderr, "tongyu: %s\n", f.line().c_str());
    ctx.result["error"] = f.what();
    if (!f.next.empty()) ctx.result["hint"] = f.next;
    return finish(ctx, f.status);
}

int main(int argc, char **argv)
{
    prepare_streams();
    no_core_files();
    clean_up_on_signals();
    Context ctx;
    CLI::App root("Signatures, encryption and hashes with SM2, SM3, SM4, ML-DSA and binary curves, "
                  "sealed files, and integers of any size.",
                  "tongyu");
    add_verbs(root, ctx);
    ctx.json = json_requested(argc, argv);
    if (argc == 1) {
        std::fputs(root.help().c_str(), stderr);
        return EXIT_USAGE;
    }
    try {
        const int status = parse_and_run(root, ctx, argc, argv);
        return ctx.run ? finish(ctx, status) : flush_stdout(status);
    } catch (const Failure &f) {
        return fail(ctx, f);
    } catch (const std::bad_alloc &) {
        return fail(ctx, Failure(EXIT_INTERNAL, "out of memory",
                                 "close other programs and try again"));
    } catch (const std::exception &e) {
        return fail(ctx, Failure(EXIT_INTERNAL, std::string("unexpected: ") + e.what(),
                                 "please report this"));
    }
}
