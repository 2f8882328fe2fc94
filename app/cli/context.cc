#include "context.hpp"

#include <algorithm>
#include <cstdio>

void Context::warn(const std::string &text)
{
    warnings.push_back(text);
    std::fprintf(stderr, "tongyu: warning: %s\n", text.c_str());
}

void Context::note(const std::string &text)
{
    if (std::find(warnings.begin(), warnings.end(), text) != warnings.end()) return;
    warnings.push_back(text);
    if (!quiet) std::fprintf(stderr, "tongyu: note: %s\n", text.c_str());
}

void add_common(CLI::App *app, Context &ctx)
{
    app->set_help_flag("-h,--help", "Show this help");
    app->add_flag("--json", ctx.json, "One JSON object on stdout instead of text, errors included")
        ->group("Common options");
    app->add_option("--tier", ctx.tier, "Use nothing above this CPU level (see tongyu tiers)")
        ->type_name("NAME")->group("Common options");
    app->add_flag("-q,--quiet", ctx.quiet, "No progress bar, no OK lines, no notes")
        ->group("Common options");
}

CLI::App *add_verb(CLI::App *parent, Context &ctx, const std::string &name, const std::string &help,
                   std::function<int()> run)
{
    CLI::App *app = parent->add_subcommand(name, help)->group("Verbs");
    add_common(app, ctx);
    app->callback([&ctx, run] { ctx.run = run; });
    return app;
}

CLI::Option *add_choice(CLI::App *app, const std::string &names, std::string &value,
                        const std::vector<std::string> &choices, const std::string &help,
                        const Hints &hints)
{
    const auto valid = [choices, names, hints](const std::string &word) -> std::string {
        if (std::find(choices.begin(), choices.end(), word) != choices.end()) return {};
        std::string near = did_you_mean(word, choices);
        for (const auto &[wrong, text] : hints)
            if (word == wrong) near = text;
        if (near.empty()) near = "choose one of " + CLI::detail::join(choices, ", ");
        throw Failure(EXIT_USAGE,
                      "unknown value '" + word + "' of " + names.substr(names.rfind(',') + 1),
                      near);
    };
    return app->add_option(names, value, help)
        ->check(valid)
        ->type_name(CLI::detail::join(choices, "|"));
}

CLI::Option *add_path(CLI::App *app, const std::string &names, std::string &value,
                      const std::string &help)
{
    return app->add_option(names, value, help)->type_name("FILE");
}

CLI::Option *add_text(CLI::App *app, const std::string &names, std::string &value,
                      const std::string &type, const std::string &help)
{
    return app->add_option(names, value, help)->type_name(type);
}

CLI::Option *add_number(CLI::App *app, const std::string &names, uint32_t &value, uint32_t from,
                        uint32_t to, const std::string &help)
{
    const auto valid = [from, to, names](const std::string &word) -> std::string {
        const bool digits =
            !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
        /* CLI11 reads 010 as 8 */
        const bool plain = digits && word.size() <= 10 && (word[0] != '0' || word == "0");
        if (const unsigned long long n = plain ? std::stoull(word) : 0;
            plain && n >= from && n <= to)
            return {};
        throw Failure(EXIT_USAGE, names + " cannot be '" + word + "'",
                      "give a number from " + std::to_string(from) + " to " + std::to_string(to));
    };
    return app->add_option(names, value, help)->type_name("N")->check(valid);
}

CLI::Option *add_force(CLI::App *app, bool &force)
{
    return app->add_flag("-f,--force", force, "Replace an output file that exists");
}

std::string full_name(const CLI::App *app)
{
    return app->get_parent() ? full_name(app->get_parent()) + " " + app->get_name()
                             : app->get_name();
}

std::vector<const CLI::App *> verbs_of(const CLI::App *app)
{
    return app->get_subcommands([](const CLI::App *v) { return !v->get_name().empty(); });
}
