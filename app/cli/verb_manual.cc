/* The verbs completion, man and help, which are generated from the table of verbs */
#include "io.hpp"
#include "manual.hpp"

#include <cstdio>
#include <memory>

struct Manual {
    std::string shell, out;
    std::vector<std::string> verb;
    bool force = false;

    int put(Context &ctx, const char *key, const std::string &text) const
    {
        if (ctx.json && out.empty()) {
            ctx.result[key] = text;
            return EXIT_GOOD;
        }
        if (ctx.json) refuse_stdout(out, true, false);
        Output file(out, output_flags(force));
        file.write(text);
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }

    int completion(const CLI::App &root, Context &ctx) const
    {
        ctx.result["shell"] = shell;
        return put(ctx, "script", shell == "bash" ? bash_completion(root) : shell == "zsh"
                   ? zsh_completion(root) : fish_completion(root));
    }

    int help(const CLI::App &root, Context &ctx) const
    {
        const CLI::App *at = &root;
        for (const auto &word : verb) {
            std::vector<std::string> names;
            const CLI::App *next = nullptr;
            for (const CLI::App *v : verbs_of(at)) {
                names.push_back(v->get_name());
                if (v->get_name() == word) next = v;
            }
            if (!next) {
                const std::string near = did_you_mean(word, names);
                throw Failure(EXIT_USAGE, "no help for '" + word + "'",
                              near.empty() ? "see tongyu --help" : near);
            }
            at = next;
        }
        const std::string text = at->help(at->get_parent() ? full_name(at->get_parent()) : "");
        ctx.result["help"] = text;
        if (!ctx.json) std::fputs(text.c_str(), stdout);
        return EXIT_GOOD;
    }
};

void add_manual(CLI::App &root, Context &ctx)
{
    const auto m = std::make_shared<Manual>();
    CLI::App *app = add_verb(&root, ctx, "completion", "Print completions for a shell",
                             [m, &root, &ctx] { return m->completion(root, ctx); });
    add_choice(app, "shell", m->shell, {"bash", "zsh", "fish"}, "Shell")->required();
    add_path(app, "-o,--out", m->out, "Script (default: stdout)");
    add_force(app, m->force);
    app->footer("Examples:\n  source <(tongyu completion bash)\n"
                "  tongyu completion fish -o ~/.config/fish/completions/tongyu.fish");

    app = add_verb(&root, ctx, "man", "Print the man page",
                   [m, &root, &ctx] { return m->put(ctx, "man", man_page(root)); });
    add_path(app, "-o,--out", m->out, "Page (default: stdout)");
    add_force(app, m->force);
    app->footer("Examples:\n  tongyu man | man -l -");

    app = add_verb(&root, ctx, "help", "Show help for a verb",
                   [m, &root, &ctx] { return m->help(root, ctx); });
    app->add_option("verb", m->verb, "The verb")->type_name("VERB");
}
