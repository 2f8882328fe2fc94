#include "usage.hpp"

/* How a message about a verb begins: "sign: ", or nothing for the command itself. */
static std::string at(const CLI::App *app)
{
    return app->get_parent() ? full_name(app).substr(7) + ": " : "";
}

static std::string see_help(const CLI::App *app) { return "see " + full_name(app) + " --help"; }

/* --- before CLI11 ----------------------------------------------------------------------------- */

static const CLI::Option *find_option(const CLI::App *app, const std::string &name)
{
    for (const CLI::Option *opt : app->get_options())
        if (opt->nonpositional() && opt->check_name(name)) return opt;
    return nullptr;
}

static std::vector<std::string> option_names(const CLI::App *app)
{
    std::vector<std::string> names;
    for (const CLI::Option *opt : app->get_options())
        for (const auto &l : opt->get_lnames()) names.push_back("--" + l);
    return names;
}

[[noreturn]] static void unknown_option(const CLI::App *app, const std::string &name)
{
    const bool version = !app->get_parent() && (name == "-v" || name == "-V");
    const std::string near =
        version ? "did you mean --version?" : did_you_mean(name, option_names(app));
    /* it may be meant as a file or an expression */
    const bool word = verbs_of(app).empty() && name.compare(0, 2, "--") != 0;
    throw Failure(EXIT_USAGE, at(app) + "unknown option " + name,
                  !near.empty()
                      ? near
                      : see_help(app) +
                            (word ? "; or put -- before an operand that begins with -" : ""));
}

/* -5, where that is not an option: CLI11 takes it for a value, too. */
static bool is_number(const CLI::App *app, const std::string &word)
{
    return word[1] >= '0' && word[1] <= '9' && verbs_of(app).empty() &&
           !find_option(app, word.substr(0, 2));
}

/* A word -xyz: x, then yz as x's value if x takes one, else as further flags. True if the next word
 * is a value. */
static bool check_short(const CLI::App *app, const std::string &word)
{
    for (size_t i = 1; i < word.size(); i++) {
        const std::string name = {'-', word[i]};
        const CLI::Option *opt = find_option(app, name);
        if (!opt) unknown_option(app, i == 1 ? word : name);
        if (opt->get_items_expected_min() > 0) return i + 1 == word.size();
    }
    return false;
}

/* An empty argument, most often an unset variable in a script, means neither a file nor stdin.
 * Texts may be empty: --id ''. */
[[noreturn]] static void empty_argument(const CLI::App *app, const std::string &what)
{
    throw Failure(EXIT_USAGE, at(app) + what, "name a file (- is stdin or stdout), or omit it");
}

static void refuse_empty_file(const CLI::App *app, const CLI::Option *opt, const std::string &name,
                              const char *value)
{
    if (opt->get_type_name() == "FILE" && value && !*value)
        empty_argument(app, "the FILE of " + name + " is an empty argument");
}

/* Whether the operands are verbs or files, and not expressions. */
static bool takes_names(const CLI::App *app)
{
    bool names = !verbs_of(app).empty();
    for (const CLI::Option *opt : app->get_options())
        names |= opt->get_positional() && opt->get_type_name() == "FILE";
    return names;
}

std::vector<std::string> check_words(const CLI::App &root, int argc, char *const *argv)
{
    const CLI::App *app = &root;
    std::vector<std::string> words, operands;
    bool rest = false;   /* after --, everything is an operand */
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const int here = i;
        bool operand = false;
        if (word.empty() && takes_names(app)) empty_argument(app, "an empty argument");
        if (!rest && word == "--") {
            rest = true;
            continue;
        }
        if (rest) {
            operands.push_back(word);
            continue;
        }
        if (word.compare(0, 2, "--") == 0) {
            const size_t eq = word.find('=');
            const CLI::Option *opt = find_option(app, word.substr(0, eq));
            if (!opt) unknown_option(app, word.substr(0, eq));
            if (opt->get_items_expected_max() == 0 && eq != std::string::npos)
                throw Failure(EXIT_USAGE, at(app) + word.substr(0, eq) + " takes no value",
                              "omit " + word.substr(eq));
            if (opt->get_items_expected_min() > 0)
                refuse_empty_file(app, opt, word.substr(0, eq),
                                  eq == std::string::npos ? argv[++i] : argv[i] + eq + 1);
        } else if (word.size() > 1 && word[0] == '-') {
            operand = is_number(app, word);
            if (!operand && check_short(app, word))
                refuse_empty_file(app, find_option(app, { '-', word.back() }), { '-', word.back() },
                                  argv[++i]);
        } else if (const auto verbs = verbs_of(app); !verbs.empty()) {
            std::vector<std::string> names;
            const CLI::App *next = nullptr;
            for (const CLI::App *v : verbs) {
                names.push_back(v->get_name());
                if (v->get_name() == word) next = v;
            }
            if (!next) {
                const std::string near = did_you_mean(word, names);
                throw Failure(EXIT_USAGE, "unknown verb '" + word + "'",
                              near.empty() ? see_help(app) : near);
            }
            app = next;
        } else {
            operand = true;
        }
        for (int j = here; j <= i && j < argc; j++) (operand ? operands : words).push_back(argv[j]);
    }
    if (rest) words.push_back("--");
    words.insert(words.end(), operands.begin(), operands.end());
    return words;
}

/* --- after CLI11 ------------------------------------------------------------------------------ */

/* "--key FILE", or "shell" for a positional argument. */
static std::string asked_for(const CLI::Option *opt)
{
    if (!opt->nonpositional()) return opt->get_name(true);
    const std::string type = opt->get_type_name();
    return opt->get_name() + (type.find('|') == std::string::npos ? " " + type : "");
}

static std::string choices(const CLI::Option *opt)
{
    std::string type = opt->get_type_name();
    if (type.find('|') == std::string::npos) return "";
    for (size_t bar; (bar = type.find('|')) != std::string::npos;) type.replace(bar, 1, ", ");
    return "choose one of " + type;
}

static Failure missing(const CLI::App *app)
{
    for (const CLI::Option *opt : app->get_options()) {
        if (!opt->get_required() || opt->count() != 0) continue;
        const std::string choose = choices(opt);
        return Failure(EXIT_USAGE,
                       at(app) + asked_for(opt) + " is missing (" + opt->get_description() + ")",
                       choose.empty() ? see_help(app) : choose);
    }
    return Failure(EXIT_USAGE, at(app) + "no verb given", see_help(app));
}

static Failure wrong_count(const CLI::App *app, const std::string &name)
{
    const CLI::Option *opt = find_option(app, name);
    if (!opt)
        return Failure(EXIT_USAGE, at(app) + name + " has too many or too few values",
                       see_help(app));
    if (opt->count() > 1)
        return Failure(EXIT_USAGE,
                       at(app) + name + " was given " + std::to_string(opt->count()) + " times",
                       "once is enough");
    const std::string choose = choices(opt);
    return Failure(EXIT_USAGE, at(app) + name + " needs a value",
                   choose.empty() ? "write " + asked_for(opt) : choose);
}

Failure usage(const CLI::App &root, const CLI::ParseError &e)
{
    const CLI::App *app = &root;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    const auto is = [&e](CLI::ExitCodes code) {
        return e.get_exit_code() == static_cast<int>(code);
    };
    const std::string text = e.what();
    if (is(CLI::ExitCodes::RequiredError)) return missing(app);
    if (is(CLI::ExitCodes::ArgumentMismatch))
        return wrong_count(app, text.substr(0, text.find(':')));
    if (const size_t mid = text.find(" excludes ");
        is(CLI::ExitCodes::ExcludesError) && mid != std::string::npos)
        return Failure(EXIT_USAGE, at(app) + text.substr(0, mid) + " and " + text.substr(mid + 10) +
                       " exclude each other", "omit one");
    if (is(CLI::ExitCodes::ExtrasError))
        return Failure(EXIT_USAGE,
                       at(app) +
                           "unexpected arguments: " + CLI::detail::join(app->remaining(), " "),
                       see_help(app));
    return Failure(EXIT_USAGE, at(app) + "the command line cannot be understood", see_help(app));
}
