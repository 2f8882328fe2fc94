/* The man page and the completions, which are generated from the table of verbs. */
#ifndef TONGYU_CLI_MANUAL_HPP
#define TONGYU_CLI_MANUAL_HPP

#include "context.hpp"

#include <string>
#include <vector>

/* A verb without verbs below it, with its path of names: {"sm2", "encrypt"}. */
struct Leaf {
    std::vector<std::string> path;
    const CLI::App *app;
};

/* All verbs that can be run, in the order of the table */
std::vector<Leaf> leaves_of(const CLI::App &root);

std::string man_page(const CLI::App &root);
std::string bash_completion(const CLI::App &root);
std::string zsh_completion(const CLI::App &root);
std::string fish_completion(const CLI::App &root);

/* The named options of a verb, and its positional arguments */
std::vector<const CLI::Option *> named_options(const CLI::App *app);
std::vector<const CLI::Option *> positionals(const CLI::App *app);
std::vector<std::string> names_of(const CLI::Option *opt);   /* "-k", "--key" */
/* {"asn1", "c1c3c2"} of the type "asn1|c1c3c2" */
std::vector<std::string> values_of(const CLI::Option *opt);
inline bool takes_value(const CLI::Option *opt) { return opt->get_items_expected_min() > 0; }
inline bool takes_file(const CLI::Option *opt) { return opt->get_type_name() == "FILE"; }

#endif
