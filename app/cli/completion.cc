/* Completion for bash, zsh and fish: static scripts, so that a key press starts no process. */
#include "curves.hpp"
#include "manual.hpp"

static std::string join(const std::vector<std::string> &words)
{
    return CLI::detail::join(words, " ");
}

std::vector<Leaf> leaves_of(const CLI::App &root)
{
    std::vector<Leaf> leaves;
    for (const CLI::App *verb : verbs_of(&root)) {
        const auto inner = verbs_of(verb);
        for (const CLI::App *v : inner) leaves.push_back({{verb->get_name(), v->get_name()}, v});
        if (inner.empty()) leaves.push_back({{verb->get_name()}, verb});
    }
    return leaves;
}

std::vector<const CLI::Option *> named_options(const CLI::App *app)
{
    std::vector<const CLI::Option *> out;
    for (const CLI::Option *opt : app->get_options())
        if (opt->nonpositional()) out.push_back(opt);
    return out;
}

std::vector<const CLI::Option *> positionals(const CLI::App *app)
{
    std::vector<const CLI::Option *> out;
    for (const CLI::Option *opt : app->get_options())
        if (opt->get_positional()) out.push_back(opt);
    return out;
}

std::vector<std::string> names_of(const CLI::Option *opt)
{
    std::vector<std::string> names;
    for (const auto &s : opt->get_snames()) names.push_back("-" + s);
    for (const auto &l : opt->get_lnames()) names.push_back("--" + l);
    return names;
}

static std::vector<std::string> names_of_verbs(const CLI::App *app)
{
    std::vector<std::string> names;
    for (const CLI::App *v : verbs_of(app)) names.push_back(v->get_name());
    return names;
}

std::vector<std::string> values_of(const CLI::Option *opt)
{
    const std::string type = opt->get_type_name();
    if (!takes_value(opt)) return {};
    if (opt->check_lname("tier")) return tier_levels();
    if (type == "CURVE") {   /* or a file: readline completes file names itself if no word fits */
        std::vector<std::string> names;
        for (const CurveNumbers &c : known_curves()) names.push_back(c.name);
        return names;
    }
    /* FILE, HEX and N are not lists of values */
    const bool words = !type.empty() && type[0] >= 'a' && type[0] <= 'z';
    return words ? CLI::detail::split(type, '|') : std::vector<std::string>{};
}

/* The words that a verb takes besides options: its own verbs, the values of a choice, or none,
 * which means files. The verb help takes the verbs of the whole command. */
static std::vector<std::string> words_of(const CLI::App *app)
{
    if (!verbs_of(app).empty()) return names_of_verbs(app);
    for (const CLI::Option *opt : positionals(app)) {
        if (opt->get_type_name() == "VERB") return names_of_verbs(app->get_parent());
        if (!takes_file(opt)) return values_of(opt);
    }
    return {};
}

static bool takes_verbs(const CLI::App *app)
{
    const auto opts = positionals(app);
    return !opts.empty() && opts.front()->get_type_name() == "VERB";
}

/* --- bash ------------------------------------------------------------------------------------- */

static std::string bash_words(const std::vector<std::string> &words)
{
    return words.empty() ? "_tongyu_files" : "_tongyu_words '" + join(words) + "'";
}

static std::string bash_verb(const std::string &name, const CLI::App *app)
{
    std::vector<std::string> options;
    std::string values;
    for (const CLI::Option *opt : named_options(app)) {
        for (const auto &n : names_of(opt)) options.push_back(n);
        if (!takes_value(opt)) continue;
        const auto words = values_of(opt);
        values += "            " + CLI::detail::join(names_of(opt), "|") + ") " +
                  (takes_file(opt) || !words.empty() ? bash_words(words) : ":") + "; return ;;\n";
    }
    return "    '" + name + "')\n        case $prev in\n" + values + "        esac\n"
           "        if [[ $cur == -* ]]; then _tongyu_words '" + join(options) + "'\n"
           "        else " + bash_words(words_of(app)) + "\n        fi ;;\n";
}

/* The case clause that goes from a verb to a verb below it, if that is the next word. */
static std::string bash_step(const std::string &from, const std::string &word)
{
    const std::string to = from.empty() ? word : from + " " + word;
    return "            '" + from + ":" + word + "') verb='" + to + "' ;;\n";
}

std::string bash_completion(const CLI::App &root)
{
    std::string steps, cases = bash_verb("", &root);
    for (const CLI::App *verb : verbs_of(&root)) {
        const std::string name = verb->get_name();
        steps += bash_step("", name);
        cases += bash_verb(name, verb);
        for (const CLI::App *v : verbs_of(verb)) {
            steps += bash_step(name, v->get_name());
            cases += bash_verb(name + " " + v->get_name(), v);
        }
        for (const CLI::App *v :
             takes_verbs(verb) ? verbs_of(&root) : std::vector<const CLI::App *>()) {
            /* help VERB: nothing more, or one of the verbs below it */
            const auto inner = names_of_verbs(v);
            steps += bash_step(name, v->get_name());
            cases += "    '" + name + " " + v->get_name() + "') " +
                     (inner.empty() ? ":" : bash_words(inner)) + " ;;\n";
        }
    }
    return R"(# bash completion for tongyu, written by: tongyu completion bash
_tongyu_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }

# One name per line, so that names with spaces are not split. readline quotes them, and completes
# file names itself if none is found.
_tongyu_files() {
    compopt -o default 2>/dev/null
    local name
    while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur")
}

_tongyu() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb='' i
    [[ $cur == = ]] && cur=''                                  # --option= and --option=word
    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
    for ((i = 1; i < COMP_CWORD; i++)); do
        case $verb:${COMP_WORDS[i]} in
)" + steps +
           R"(        esac
    done
    COMPREPLY=()
    case $verb in
)" + cases +
           R"(    esac
}
complete -o filenames -F _tongyu tongyu
)";
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* Text inside '...[...]': quotes, brackets and colons would end it. */
static std::string zsh_text(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\'') out += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\') out += std::string("\\") + c;
        else out += c;
    }
    return out;
}

static std::string zsh_value(const CLI::Option *opt)
{
    if (takes_file(opt)) return ":file:_files";
    const auto values = values_of(opt);
    return ":" + zsh_text(opt->get_type_name()) + ":" +
           (values.empty() ? "" : "(" + join(values) + ")");
}

/* -k and --key are one option, which is offered once. */
static std::string zsh_option(const CLI::Option *opt, const std::string &name)
{
    const auto names = names_of(opt);
    const bool again = opt->get_items_expected_max() > 1;
    const std::string before = again ? "*" : names.size() > 1 ? "(" + join(names) + ")" : "";
    return "'" + before + name + "[" + zsh_text(opt->get_description()) + "]" +
           (takes_value(opt) ? zsh_value(opt) : "") + "'";
}

static std::string zsh_describe(const CLI::App *app, const std::string &indent)
{
    std::string text = indent + "verbs=(";
    for (const CLI::App *v : verbs_of(app))
        text += " '" + v->get_name() + ":" + zsh_text(v->get_description()) + "'";
    return text + ")\n" + indent + "_describe verb verbs\n";
}

static std::string zsh_verb(const CLI::App *app, const std::string &indent)
{
    if (takes_verbs(app)) {
        const CLI::App *root = app->get_parent();
        std::string text = indent + "if (( CURRENT == 2 )); then\n" +
                           zsh_describe(root, indent + "    ") + indent + "else\n" + indent +
                           "    case $words[2] in\n";
        for (const CLI::App *v : verbs_of(root))
            if (!verbs_of(v).empty())
                text += indent + "    " + v->get_name() + ")\n" +
                        zsh_describe(v, indent + "        ") + indent + "        ;;\n";
        return text + indent + "    esac\n" + indent + "fi\n";
    }
    std::string text = indent + "_arguments -s";
    for (const CLI::Option *opt : named_options(app))
        for (const auto &name : names_of(opt))
            text += " \\\n" + indent + "    " + zsh_option(opt, name);
    for (const CLI::Option *opt : positionals(app))
        text += " \\\n" + indent + "    '" + (opt->get_items_expected_max() > 1 ? "*" : "") +
                zsh_value(opt) + "'";
    return text + "\n";
}

/* A verb with verbs below it: their names as the second word, then their options and files. */
static std::string zsh_inner(const CLI::App *verb, const std::string &indent)
{
    std::string text = indent + "if (( CURRENT == 2 )); then\n" +
                       zsh_describe(verb, indent + "    ") + indent + "    return\n" + indent +
                       "fi\n" + indent +
                       "verb=$words[2]; words=(tongyu \"${(@)words[3,-1]}\"); (( CURRENT-- ))\n" +
                       indent + "case $verb in\n";
    for (const CLI::App *v : verbs_of(verb))
        text += indent + v->get_name() + ")\n" + zsh_verb(v, indent + "    ") + indent + "    ;;\n";
    return text + indent + "esac\n";
}

std::string zsh_completion(const CLI::App &root)
{
    std::string text =
        "#compdef tongyu\n# zsh completion for tongyu, written by: tongyu completion zsh\n"
        "_tongyu() {\n    local -a verbs\n    if (( CURRENT == 2 )); then\n" +
        zsh_describe(&root, "        ") +
        "        return\n    fi\n    local verb=$words[2]\n"
        "    words=(tongyu \"${(@)words[3,-1]}\"); (( CURRENT-- ))\n    case $verb in\n";
    for (const CLI::App *verb : verbs_of(&root))
        text +=
            "    " + verb->get_name() + ")\n" +
            (verbs_of(verb).empty() ? zsh_verb(verb, "        ") : zsh_inner(verb, "        ")) +
            "        ;;\n";
    return text + "    esac\n}\n"
                  "# loaded by the completion system, or sourced\n"
                  "if [[ $funcstack[1] == _tongyu ]]; then _tongyu \"$@\"; else compdef _tongyu "
                  "tongyu; fi\n";
}

/* --- fish ------------------------------------------------------------------------------------- */

static std::string fish_text(const std::string &text)
{
    std::string out;
    for (const char c : text)
        out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return "'" + out + "'";
}

/* The verbs of `app`, offered where the words so far are `path`. */
static std::string fish_verbs(const CLI::App *app, const std::string &path)
{
    std::string text;
    for (const CLI::App *v : verbs_of(app))
        text += "complete -c tongyu -n '__tongyu_words" + path + "' -f -a " + v->get_name() +
                " -d " + fish_text(v->get_description()) + "\n";
    return text;
}

static std::string fish_options(const CLI::App *app, const std::string &path)
{
    const std::string when = "complete -c tongyu -n '__tongyu_verb" + path + "'";
    std::string text;
    for (const CLI::Option *opt : named_options(app)) {
        text += when;
        for (const auto &s : opt->get_snames()) text += " -s " + s;
        for (const auto &l : opt->get_lnames()) text += " -l " + l;
        if (takes_value(opt)) text += takes_file(opt) ? " -r -F" : " -x";
        if (!values_of(opt).empty()) text += " -a " + fish_text(join(values_of(opt)));
        text += " -d " + fish_text(opt->get_description()) + "\n";
    }
    const auto words = takes_verbs(app) ? std::vector<std::string>() : words_of(app);
    if (!words.empty()) text += when + " -f -a " + fish_text(join(words)) + "\n";
    return text;
}

std::string fish_completion(const CLI::App &root)
{
    std::string text = R"(# fish completion for tongyu, written by: tongyu completion fish
# Whether the words so far, without options, are these; and whether they begin with these.
function __tongyu_words
    set -l seen (string match -v -- '-*' (commandline -opc)[2..-1])
    test "$seen" = "$argv"
end
function __tongyu_verb
    set -l seen (string match -v -- '-*' (commandline -opc)[2..-1])
    set -l n (count $argv)
    test (count $seen) -ge $n; and test "$seen[1..$n]" = "$argv"
end
)" + fish_verbs(&root, "");
    for (const CLI::App *verb : verbs_of(&root)) {
        const std::string path = " " + verb->get_name();
        text += verbs_of(verb).empty() ? fish_options(verb, path) : fish_verbs(verb, path);
        for (const CLI::App *v : verbs_of(verb))
            text += fish_options(v, path + " " + v->get_name());
        if (!takes_verbs(verb)) continue;
        text += "complete -c tongyu -n '__tongyu_verb" + path + "' -f\n" + fish_verbs(&root, path);
        for (const CLI::App *v : verbs_of(&root)) text += fish_verbs(v, path + " " + v->get_name());
    }
    return text;
}
