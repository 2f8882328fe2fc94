/* Where secrets come from: key files, passwords, symmetric keys. */
#ifndef TONGYU_CLI_KEYS_HPP
#define TONGYU_CLI_KEYS_HPP

#include "context.hpp"
#include "secret.hpp"
#include "tongyu/key.h"

#include <string>

/* What a key file may ask for where --max-iterations does not say otherwise, five seconds or so,
 * and the most that is written. */
constexpr uint32_t KEY_ITERATIONS_MAX = 5000000;
constexpr size_t KEY_FILE_MAX = 64 * 1024;

/* --password-file, --password-env, and a prompt without echo. what is the end of a sentence: "of
 * the key". For a password that opens something, --max-iterations besides: what a file may ask
 * for. */
struct Password {
    std::string file, env, options = "--";   /* how the names of the options begin */
    bool ask = false, shared = false;   /* shared: for several keys, not all of which need it */
    uint32_t max_iterations = KEY_ITERATIONS_MAX;
    CLI::Option *max_option = nullptr;

    void add_options(CLI::App *app, const std::string &what, const std::string &prefix = "--");
    void add_opening_options(CLI::App *app, const std::string &what);
    bool given() const { return ask || !file.empty() || !env.empty(); }
    /* twice: asked twice, for a new password */
    Secret get(const std::string &what, bool twice) const;
    /* Throw if they are more than --max-iterations, or without it more than usual. */
    void check_iterations(const std::string &path, uint64_t iterations,
                          uint32_t usual = KEY_ITERATIONS_MAX) const;
};

/* Memory for scrypt: at most TY_BOX_MEMORY_MAX for all threads together. Who finds too little left
 * waits for the others. */
class ScryptMemory {
    struct Share {
        size_t len;
        explicit Share(size_t bytes);
        ~Share();
    } share;   /* before room: given back after it */
    Secret room;

public:
    explicit ScryptMemory(size_t len) : share(len), room(len) {}
    ScryptMemory(const ScryptMemory &) = delete;
    uint8_t *data() { return room.data(); }
    size_t size() const { return room.size(); }
};

/* --key-hex (with a warning), --key-file, --key-bytes, --key-env: bytes of a symmetric key, len of
 * them; 0: any number. */
class KeyBytes {
    Secret bare(Context &ctx, Secret text) const;

public:
    std::string hex, file, bytes, env;

    void add_options(CLI::App *app);
    const std::string &input() const
    {
        return file.empty() ? bytes : file;
    }   /* the file that is read, if one is */
    bool given() const { return !(hex.empty() && file.empty() && bytes.empty() && env.empty()); }
    Secret get(Context &ctx, size_t len);
};

/* --id, --id-hex: an SM2 identity. whose is the beginning of a sentence: "Your". */
struct Identity {
    std::string text = TY_SM2_ID, hex;

    void add_options(CLI::App *app, const std::string &whose = "The signer's",
                     const std::string &prefix = "--");
    Secret get() const;
    bool is_default() const { return hex.empty() && text == TY_SM2_ID; }
    void describe(Json &result) const;
};

/* Read a key file of any form; ask for the password if it needs one, and warn if one was given for
 * nothing. A public key where need is Private is refused. */
enum class Need { Public, Private };
void load_key(Context &ctx, ty_key &key, const std::string &path, const Password &password,
              Need need);

/* The same of a text that was read already; name is what messages call it. */
void read_key(Context &ctx, ty_key &key, const Secret &text, const std::string &name,
              const Password &password, Need need);

#endif
