/* Where secrets come from: key files, passwords, symmetric keys. */
#ifndef TONGYU_CLI_KEYS_HPP
#define TONGYU_CLI_KEYS_HPP

#include "context.hpp"
#include "secret.hpp"
#include "tongyu/key.h"

#include <string>

/* The most iterations of a key file that is read, unless --max-iterations sets another limit, and
 * of one that is written: a few seconds. */
constexpr uint32_t KEY_ITERATIONS_MAX = 5000000;
constexpr size_t KEY_FILE_MAX = 64 * 1024;   /* bytes */

/* --password-file, --password-env, and a prompt without echo. `what` is a part of the help texts,
 * such as "of the key". add_opening_options, for a password that decrypts a file, adds
 * --max-iterations, the most that the file may require. */
struct Password {
    std::string file, env, option_prefix = "--";   /* how the names of the options begin */
    bool ask = false, shared = false;   /* shared: for several keys, not all of which need it */
    uint32_t max_iterations = KEY_ITERATIONS_MAX;
    CLI::Option *max_option = nullptr;

    void add_options(CLI::App *app, const std::string &what, const std::string &prefix = "--");
    void add_opening_options(CLI::App *app, const std::string &what);
    bool given() const { return ask || !file.empty() || !env.empty(); }
    /* twice: ask twice, for a new password */
    Secret get(const std::string &what, bool twice) const;
    /* Throws if iterations exceed --max-iterations, or usual if that option was not given. */
    void check_iterations(const std::string &path, uint64_t iterations,
                          uint32_t usual = KEY_ITERATIONS_MAX) const;
};

/* Memory for scrypt: at most TY_BOX_MEMORY_MAX for all threads together. The constructor waits
 * until enough of it is free. */
class ScryptMemory {
    struct Share {
        size_t len;
        explicit Share(size_t bytes);
        ~Share();
    } share;   /* declared before `room`, so that it is released last */
    Secret room;

public:
    explicit ScryptMemory(size_t len) : share(len), room(len) {}
    ScryptMemory(const ScryptMemory &) = delete;
    uint8_t *data() { return room.data(); }
    size_t size() const { return room.size(); }
};

/* --key-hex (with a warning), --key-file, --key-bytes, --key-env: the bytes of a symmetric key.
 * get() throws unless there are `len` of them; 0: any number. */
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

/* --id, --id-hex: an SM2 identity. `whose` begins the help texts, such as "Your". */
struct Identity {
    std::string text = TY_SM2_ID, hex;

    void add_options(CLI::App *app, const std::string &whose = "The signer's",
                     const std::string &prefix = "--");
    Secret get() const;
    bool is_default() const { return hex.empty() && text == TY_SM2_ID; }
    void describe(Json &result) const;
};

/* Reads a key file of any form; asks for the password if it needs one, and warns if one was given
 * that is not needed. Throws for a public key if need is Private. */
enum class Need { Public, Private };
void load_key(Context &ctx, ty_key &key, const std::string &path, const Password &password,
              Need need);

/* The same for the contents of a file that has been read already; name is used in messages. */
void read_key(Context &ctx, ty_key &key, const Secret &text, const std::string &name,
              const Password &password, Need need);

#endif
