/* Completion for bash, zsh and fish: static scripts, so that a key press starts no process. */
#include "manual.hpp"

static std::string join(const std::vector<std::string> &words) { return CLI::detail::join(words, " "); }

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
        if (!opt->nonpositional()) out.push_back(opt);
    return out;
}

std::vector<std::string> names_of(const CLI::Option *opt)
{
    std::vector<std::string> names;
    for (const auto &s : opt->get_snames()) names.push_back("-" + s);
    for (const auto &l : opt->get_lnames()) names.push_back("--" + l);
    return names;
}

std::vector<std::string> values_of(const CLI::Option *opt)
{
    const std::string type = opt->get_type_name();
    return takes_value(opt) && type.find('|') != std::string::npos
        ? CLI::detail::split(type, '|') : std::vector<std::string>{};
}

/* What stands in for "file here": the values of a positional that is a choice, or nothing. */
static std::vector<std::string> positional_values(const CLI::App *app)
{
    for (const CLI::Option *opt : positionals(app))
        if (!takes_file(opt)) return values_of(opt);
    return {};
}

/* --- bash ---------------------------------------------------------------------------------------------- */

static std::string bash_verb(const std::string &name, const CLI::App *app)
{
    std::vector<std::string> options;
    std::string values;
    for (const CLI::Option *opt : named_options(app)) {
        for (const auto &n : names_of(opt)) options.push_back(n);
        if (!takes_value(opt)) continue;
        const std::string does = takes_file(opt)           ? "COMPREPLY=($(compgen -f -- \"$cur\"))"
                                 : !values_of(opt).empty() ? "COMPREPLY=($(compgen -W '" + join(values_of(opt)) + "' -- \"$cur\"))"
                                                           : ":";
        values += "            " + CLI::detail::join(names_of(opt), "|") + ") " + does + "; return ;;\n";
    }
    std::vector<std::string> words = positional_values(app);
    for (const CLI::App *v : verbs_of(app)) words.push_back(v->get_name());
    std::string text = "    '" + name + "')\n        case $prev in\n" + values + "        esac\n"
                       "        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '" + join(options) + "' -- \"$cur\"))\n";
    text += words.empty() ? "        else COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                          : "        else COMPREPLY=($(compgen -W '" + join(words) + "' -- \"$cur\"))\n";
    return text + "        fi ;;\n";
}

std::string bash_completion(const CLI::App &root)
{
    std::string steps, cases = bash_verb("", &root);
    for (const CLI::App *verb : verbs_of(&root)) {
        const std::string name = verb->get_name();
        steps += "            :" + name + ") verb=" + name + " ;;\n";
        cases += bash_verb(name, verb);
        for (const CLI::App *v : verbs_of(verb)) {
            steps += "            " + name + ":" + v->get_name() + ") verb='" + name + " " + v->get_name() + "' ;;\n";
            cases += bash_verb(name + " " + v->get_name(), v);
        }
    }
    return "# bash completion for tongyu, written by: tongyu completion bash\n"
           "_tongyu() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb='' i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case $verb:${COMP_WORDS[i]} in\n" + steps +
           "        esac\n"
           "    done\n"
           "    COMPREPLY=()\n"
           "    case $verb in\n" + cases +
           "    esac\n"
           "}\n"
           "complete -o filenames -F _tongyu tongyu\n";
}

/* --- zsh ----------------------------------------------------------------------------------------------- */

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
    return ":" + zsh_text(opt->get_type_name()) + ":" + (values.empty() ? "" : "(" + join(values) + ")");
}

static std::string zsh_verb(const CLI::App *app, const std::string &indent)
{
    std::string text = indent + "_arguments -s";
    for (const CLI::Option *opt : named_options(app))
        for (const auto &name : names_of(opt))
            text += " \\\n" + indent + "    '" + (opt->get_items_expected_max() > 1 ? "*" : "") + name + "[" +
                    zsh_text(opt->get_description()) + "]" + (takes_value(opt) ? zsh_value(opt) : "") + "'";
    for (const CLI::Option *opt : positionals(app)) text += " \\\n" + indent + "    '*" + zsh_value(opt) + "'";
    return text + "\n";
}

static std::string zsh_names(const CLI::App *app)
{
    std::string text;
    for (const CLI::App *v : verbs_of(app)) text += " '" + v->get_name() + ":" + zsh_text(v->get_description()) + "'";
    return text;
}

std::string zsh_completion(const CLI::App &root)
{
    std::string text = "#compdef tongyu\n# zsh completion for tongyu, written by: tongyu completion zsh\n"
                       "_tongyu() {\n    local -a verbs\n"
                       "    if (( CURRENT == 2 )); then\n        verbs=(" + zsh_names(&root) + ")\n"
                       "        _describe verb verbs\n        return\n    fi\n"
                       "    local verb=$words[2]\n    words=(tongyu $words[3,-1]); (( CURRENT-- ))\n    case $verb in\n";
    for (const CLI::App *verb : verbs_of(&root)) {
        text += "    " + verb->get_name() + ")\n";
        if (verbs_of(verb).empty()) {
            text += zsh_verb(verb, "        ");
        } else {
            text += "        if (( CURRENT == 2 )); then\n            verbs=(" + zsh_names(verb) + ")\n"
                    "            _describe verb verbs\n            return\n        fi\n"
                    "        verb=$words[2]; words=(tongyu $words[3,-1]); (( CURRENT-- ))\n        case $verb in\n";
            for (const CLI::App *v : verbs_of(verb))
                text += "        " + v->get_name() + ")\n" + zsh_verb(v, "            ") + "            ;;\n";
            text += "        esac\n";
        }
        text += "        ;;\n";
    }
    return text + "    esac\n}\ncompdef _tongyu tongyu\n";
}

/* --- fish ---------------------------------------------------------------------------------------------- */

static std::string fish_text(const std::string &text)
{
    std::string out;
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return "'" + out + "'";
}

static std::string fish_options(const CLI::App *app, const std::string &when)
{
    std::string text;
    for (const CLI::Option *opt : named_options(app)) {
        text += "complete -c tongyu -n " + when;
        for (const auto &s : opt->get_snames()) text += " -s " + s;
        for (const auto &l : opt->get_lnames()) text += " -l " + l;
        if (takes_value(opt)) text += takes_file(opt) ? " -r -F" : " -x";
        if (!values_of(opt).empty()) text += " -a " + fish_text(join(values_of(opt)));
        text += " -d " + fish_text(opt->get_description()) + "\n";
    }
    const auto words = positional_values(app);
    if (!words.empty()) text += "complete -c tongyu -n " + when + " -f -a " + fish_text(join(words)) + "\n";
    return text;
}

std::string fish_completion(const CLI::App &root)
{
    std::string text = "# fish completion for tongyu, written by: tongyu completion fish\n";
    for (const CLI::App *verb : verbs_of(&root)) {
        const std::string name = verb->get_name(), seen = "'__fish_seen_subcommand_from " + name + "'";
        text += "complete -c tongyu -n __fish_use_subcommand -f -a " + name + " -d " + fish_text(verb->get_description()) + "\n";
        if (verbs_of(verb).empty()) text += fish_options(verb, seen);
        for (const CLI::App *v : verbs_of(verb)) {
            text += "complete -c tongyu -n " + seen + " -f -a " + v->get_name() + " -d " + fish_text(v->get_description()) + "\n";
            text += fish_options(v, "'__fish_seen_subcommand_from " + name + "; and __fish_seen_subcommand_from " + v->get_name() + "'");
        }
    }
    return text;
}
