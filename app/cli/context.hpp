/* What every verb gets: the common options, and the object that its result is written to. */
#ifndef TONGYU_CLI_CONTEXT_HPP
#define TONGYU_CLI_CONTEXT_HPP

#include "did_you_mean.hpp"
#include "fail.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

using Json = nlohmann::ordered_json;

struct Context {
    bool json = false, quiet = false;
    std::string tier;
    Json result = Json::object();        /* printed on stdout, as one line, when json is set */
    std::vector<std::string> warnings;
    std::function<int()> run;            /* set by the verb that was chosen */

    /* One line on stderr, and an entry of "warnings" under --json. */
    void warn(const std::string &text);

    /* The same for a note, which is less urgent: only once, and not on stderr under --quiet. */
    void note(const std::string &text);
};

/* A verb: its name, one line of help, and its function, which returns the exit status. Adds the
 * common options. */
CLI::App *add_verb(CLI::App *parent, Context &ctx, const std::string &name, const std::string &help,
                   std::function<int()> run);

/* -h, --json, --tier, --quiet. */
void add_common(CLI::App *app, Context &ctx);

/* Pairs of an invalid value that users may try, and the hint to print for it. */
using Hints = std::vector<std::pair<std::string, std::string>>;

/* Options. Their type names are read for help, man page and completion: "FILE", the values joined
 * by |, "N", or the type of a text, such as "HEX". */
CLI::Option *add_choice(CLI::App *app, const std::string &names, std::string &value,
                        const std::vector<std::string> &choices, const std::string &help,
                        const Hints &hints = {});
CLI::Option *add_path(CLI::App *app, const std::string &names, std::string &value,
                      const std::string &help);
CLI::Option *add_text(CLI::App *app, const std::string &names, std::string &value,
                      const std::string &type, const std::string &help);
CLI::Option *add_number(CLI::App *app, const std::string &names, uint32_t &value, uint32_t from,
                        uint32_t to, const std::string &help);
CLI::Option *add_force(CLI::App *app, bool &force);

/* The names that --tier takes, weakest first. */
const std::vector<std::string> &tier_levels();

/* Every family and tier of the library under the current limit. */
std::vector<ty_tier_row> tier_rows();

/* A line of hash and mac: "digest  name", or "label (name) = digest" if `tag` is set. */
std::string line_of(const std::string &digest, const std::string &name, bool tag,
                    const char *label);

/* "tongyu sm2 encrypt" for that verb; the verbs directly below a verb or below the command. */
std::string full_name(const CLI::App *app);
std::vector<const CLI::App *> verbs_of(const CLI::App *app);

/* Each is defined in a file verb_*.cc, and adds its verbs. */
void add_keys(CLI::App &root, Context &ctx);
void add_inspect(CLI::App &root, Context &ctx);
void add_sign(CLI::App &root, Context &ctx);
void add_verify(CLI::App &root, Context &ctx);
void add_encrypt(CLI::App &root, Context &ctx);
void add_decrypt(CLI::App &root, Context &ctx);
void add_sm2(CLI::App &root, Context &ctx);
void add_cms(CLI::App &root, Context &ctx);
void add_request(CLI::App &root, Context &ctx);
void add_derive(CLI::App &root, Context &ctx);
void add_exchange(CLI::App &root, Context &ctx);
void add_cipher(CLI::App &root, Context &ctx);
void add_hash(CLI::App &root, Context &ctx);
void add_mac(CLI::App &root, Context &ctx);
void add_kdf(CLI::App &root, Context &ctx);
void add_curve(CLI::App &root, Context &ctx);
void add_speed(CLI::App &root, Context &ctx);
void add_calc(CLI::App &root, Context &ctx);
void add_about(CLI::App &root, Context &ctx);
void add_doctor(CLI::App &root, Context &ctx);
void add_manual(CLI::App &root, Context &ctx);

#endif
