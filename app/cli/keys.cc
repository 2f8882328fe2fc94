#include "keys.hpp"
#include "any_key.hpp"
#include "carrier.hpp"
#include "io.hpp"
#include "key_kind.hpp"
#include "raw_key.hpp"
#include "signals.hpp"
#include "system.hpp"
#include "tongyu/box.h"

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

constexpr size_t PASSWORD_MAX = 4096;

/* --- passwords -------------------------------------------------------------------------------- */

void Password::add_options(CLI::App *app, const std::string &what, const std::string &prefix)
{
    option_prefix = prefix;
    auto *f = add_path(app, prefix + "password-file", file,
                       "Read the password " + what + " from FILE (its first line)");
    auto *e = add_text(app, prefix + "password-env", env, "NAME",
                       "Take the password " + what + " from this environment variable");
    f->excludes(e);
}

void Password::add_opening_options(CLI::App *app, const std::string &what)
{
    add_options(app, what);
    max_option =
        add_number(app, "--max-iterations", max_iterations, 1, UINT32_MAX,
                   "Refuse files whose password costs more iterations of PBKDF2 (of scrypt: N r p)")
            ->capture_default_str();
}

void Password::check_iterations(const std::string &path, uint64_t iterations, uint32_t usual) const
{
    if (iterations <= (max_option && max_option->count() ? max_iterations : usual)) return;
    throw Failure(EXIT_INPUT,
                  path + ": its password costs " + std::to_string(iterations) +
                      " iterations, more than is sensible",
                  "if you trust the file, raise --max-iterations");
}

static Secret prompt(int terminal, const std::string &text)
{
    Secret line(PASSWORD_MAX);
    const long n = ask_quietly(terminal, text, line.data(), line.size());
    if (n < 0) throw Failure(EXIT_INTERNAL, TERMINAL + (": " + errno_text(errno)));
    line.shrink(static_cast<size_t>(n));
    return line;
}

static Secret ask_terminal(const std::string &what, bool twice, const std::string &prefix)
{
    const int terminal = open_terminal();
    if (terminal < 0)
        throw Failure(EXIT_USAGE,
                      "a password is needed for " + what + " and there is no terminal to ask on",
                      "give " + prefix + "password-file FILE or " + prefix + "password-env NAME");
    Secret first = prompt(terminal, "Password for " + what + ": ");
    const Secret second = twice ? prompt(terminal, "Repeat the password: ") : Secret();
    close(terminal);
    if (twice &&
        (first.size() != second.size() || !ty_equal(first.data(), second.data(), first.size())))
        throw Failure(EXIT_USAGE, "the two passwords differ", "try again");
    return first;
}

/* The first line of a file, without its line end. */
static Secret first_line(const std::string &path)
{
    Secret all = Input(path).read_all(KEY_FILE_MAX, "a password");
    const auto *end = static_cast<const uint8_t *>(
        all.empty() ? nullptr : std::memchr(all.data(), '\n', all.size()));
    size_t n = end ? static_cast<size_t>(end - all.data()) : all.size();
    if (n > 0 && end && all[n - 1] == '\r') n--;
    all.shrink(n);
    return all;
}

static Secret from_env(const std::string &name)
{
    const char *value = std::getenv(name.c_str());
    if (!value) throw Failure(EXIT_USAGE, "the environment variable " + name + " is not set",
                              "export it, or use a file");
    return Secret(value, std::strlen(value));
}

Secret Password::get(const std::string &what, bool twice) const
{
    Secret password = !file.empty()  ? first_line(file)
                      : !env.empty() ? from_env(env)
                                     : ask_terminal(what, twice, option_prefix);
    if (password.empty())
        throw Failure(EXIT_USAGE, "the password for " + what + " is empty", "give one");
    return password;
}

static std::mutex scrypt_lock;
static std::condition_variable scrypt_freed;
static size_t scrypt_used = 0;

ScryptMemory::Share::Share(size_t bytes) : len(bytes)
{
    std::unique_lock<std::mutex> lock(scrypt_lock);
    scrypt_freed.wait(lock, [this] {
        return scrypt_used == 0 || scrypt_used + len <= TY_BOX_MEMORY_MAX;
    });
    scrypt_used += len;
}

ScryptMemory::Share::~Share()
{
    const std::lock_guard<std::mutex> lock(scrypt_lock);
    scrypt_used -= len;
    scrypt_freed.notify_all();
}

/* --- symmetric keys --------------------------------------------------------------------------- */

void KeyBytes::add_options(CLI::App *app)
{
    add_text(app, "--key-hex", hex, "HEX",
             "The key as hexadecimal digits; visible to everybody on this machine (ps)");
    add_path(app, "--key-file", file,
             "The key in a file, as hexadecimal digits (for SM4 also as bare bytes)");
    add_path(app, "--key-bytes", bytes, "The key in a file, as bare bytes");
    add_text(app, "--key-env", env, "NAME",
             "The key in an environment variable, as hexadecimal digits");
}

/* The bytes of a file as they are. If all of them are hexadecimal digits, they are more likely
 * meant as digits, and the key is half as long as it should be. */
Secret KeyBytes::bare(Context &ctx, Secret text) const
{
    size_t n = text.size(), digits = 0;
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
    for (size_t i = 0; i < n; i++) digits += is_digit(text[i]);
    if (n > 0 && digits == n)
        ctx.warn(file + " holds " + std::to_string(n) + " hexadecimal digits and was taken for " +
                 std::to_string(text.size()) + " bare bytes; a key in digits has " +
                 std::to_string(2 * text.size()));
    return text;
}

Secret KeyBytes::get(Context &ctx, size_t len)
{
    Secret key;
    const Exit wrong = file.empty() && bytes.empty() ? EXIT_USAGE : EXIT_INPUT;
    const int sources = !hex.empty() + !file.empty() + !env.empty() + !bytes.empty();
    if (sources != 1)
        throw Failure(EXIT_USAGE, sources ? "more than one key was given" : "no key was given",
                      "give one of --key-file, --key-bytes, --key-env, --key-hex");
    if (!hex.empty()) {
        ctx.warn("a key on the command line is visible to everybody on this machine; prefer "
                 "--key-file or --key-env");
        key = from_hex(hex, "--key-hex");
        wipe(hex);
    } else if (!bytes.empty()) {
        key = Input(bytes).read_all(KEY_FILE_MAX, "a key");
    } else {
        Secret text = !env.empty() ? from_env(env) : Input(file).read_all(KEY_FILE_MAX, "a key");
        if (env.empty() && len && text.size() == len) return bare(ctx, std::move(text));
        text = without_line_end(std::move(text));
        key = from_hex(text.chars(), text.size(), "the key in " + (env.empty() ? file : env),
                       env.empty() ? "to turn bare bytes into digits: od -An -v -tx1 " + file +
                                         " | tr -d ' \\n'"
                                   : "",
                       wrong);
    }
    if (key.empty())
        throw Failure(wrong, "the key is empty", "make one, for example with openssl rand -hex 32");
    if (len && key.size() != len)
        throw Failure(wrong, "the key has " + std::to_string(key.size()) + " bytes",
                      "give " + std::to_string(len) + " bytes, " + std::to_string(2 * len) +
                          " hexadecimal digits");
    return key;
}

/* --- identities ------------------------------------------------------------------------------- */

void Identity::add_options(CLI::App *app, const std::string &whose, const std::string &prefix)
{
    auto *t = add_text(app, prefix + "id", text, "ID",
                       whose + " identity (the standard's default: " TY_SM2_ID ")");
    auto *h =
        add_text(app, prefix + "id-hex", hex, "HEX", whose + " identity as hexadecimal digits");
    h->excludes(t);
}

Secret Identity::get() const
{
    Secret id = hex.empty() ? Secret(text.data(), text.size()) : from_hex(hex, "the identity");
    if (id.size() > TY_SM2_ID_MAX)
        throw Failure(EXIT_USAGE, "the identity has " + std::to_string(id.size()) + " bytes",
                      "at most " + std::to_string(TY_SM2_ID_MAX) + " are possible");
    return id;
}

void Identity::describe(Json &result) const
{
    if (hex.empty()) result["id"] = text;
    else result["id_hex"] = hex;
}

/* --- key files -------------------------------------------------------------------------------- */

static std::string needed_kind(bool any)
{
    return any ? "of SM2, of ML-DSA or on a binary curve" : "on the SM2 curve";
}

/* Throws for a well-formed key of another kind, with the kind and a command that converts it. any:
 * keys of every algorithm are accepted, not only SM2 keys. */
[[noreturn]] static void unsupported(const Secret &data, const std::string &path, Need need,
                                     bool any)
{
    const std::string cipher = foreign_encryption(data);
    if (!cipher.empty())
        throw Failure(EXIT_INPUT,
                      path + ": encrypted with " + cipher +
                          ", and only AES and SM4 in CBC mode (PBES2) are supported",
                      is_pkcs12(data)
                          ? "take the key out of it: openssl pkcs12 -legacy -aes256 -nocerts -in " +
                                path + " -out key.pem"
                          : "convert it: openssl pkcs8 -topk8 -in " + path + " -out aes-" +
                                path.substr(path.find_last_of(PATH_ENDS) + 1));
    if (is_pkcs12(data))
        throw Failure(
            EXIT_INPUT,
            path +
                ": PKCS#12 without the one encrypted key (a shrouded key bag) that is needed",
            "take the key out of it: openssl pkcs12 -legacy -aes256 -nocerts -in " + path +
                " -out key.pem");
    const std::string kind = kind_of_key(data);
    const std::string needed = needed_kind(any);
    const bool unnamed = any && (kind.empty() || kind.find("elliptic-curve") != std::string::npos);
    const std::string sm2 =
        need == Need::Public
            ? "ask its owner for an SM2 public key"
            : "give an SM2 private key, or make one: tongyu keygen --alg sm2 -o key.pem";
    throw Failure(
        EXIT_INPUT,
        path + (kind.empty() ? ": a key, but not one " + needed
                             : ": " + kind + ", and this needs a key " + needed),
        unnamed ? "if its curve is a binary one without a name, give the curve file with --curve"
                : sm2);
}

/* Throws for a file that cannot be read as a key, with the reason. */
[[noreturn]] static void unreadable(ty_err err, const Secret &data, const std::string &path,
                                    Need need, bool any)
{
    if (err == TY_ERR_VERIFY)
        throw Failure(EXIT_REFUSED, path + ": wrong password, or the file is damaged", "try again");
    if (is_carrier(data))
        throw Failure(EXIT_INPUT,
                      path + ": a certificate or a request, and this needs a private key",
                      "give the private key that belongs to it");
    if (err == TY_ERR_UNSUPPORTED || (err == TY_ERR_FORMAT && !any && !kind_of_key(data).empty()))
        unsupported(data, path, need, any);
    if (err == TY_ERR_FORMAT && contains(data, "TYBOX\r\n"))
        throw Failure(EXIT_INPUT, path + ": a sealed file, and this needs a key",
                      "open it with tongyu decrypt");
    if (err == TY_ERR_KEY)
        throw Failure(EXIT_INPUT, path + ": not a valid key",
                      "the file is damaged: take it from a copy");
    if (err == TY_ERR_FORMAT && any && data.size() == TY_MLDSA_SEED_LEN)
        throw Failure(EXIT_INPUT, path + ": 32 bytes that are not a key in a known format",
                      "if they are an ML-DSA seed, name its algorithm: --alg ml-dsa-65");
    if (err == TY_ERR_FORMAT)
        throw Failure(EXIT_INPUT, path + ": not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form",
                      "check that it is the right file");
    check(err, path);
    throw Failure(EXIT_INTERNAL, path + ": unexpected result");
}

/* plain = the decrypted contents of a file, if the cost of its password is within the limits. */
static ty_err decrypt(Secret &plain, const Secret &data, const ty_key_cost &cost,
                      const std::string &path, const Password &password)
{
    password.check_iterations(path, cost.iterations);
    if (cost.memory == 0 && std::strcmp(cost.kdf, "scrypt") == 0)
        throw Failure(EXIT_INPUT, path + ": its scrypt parameters are not valid",
                      "the file is damaged: take it from a copy");
    if (cost.memory > TY_BOX_MEMORY_MAX)
        throw Failure(EXIT_INPUT,
                      path + ": its password costs " + std::to_string(cost.memory >> 20) +
                          " MiB of memory by scrypt, and at most " +
                          std::to_string(TY_BOX_MEMORY_MAX >> 20) + " MiB are allowed",
                      "write the key again with smaller scrypt parameters");
    const Secret pass = password.get(path, false);
    ScryptMemory memory(cost.memory);
    const ty_key_limits limits = {cost.iterations, memory.data(), memory.size()};
    size_t len = plain.size();
    const ty_err err = ty_key_decrypt(plain.data(), &len, data.data(), data.size(), pass.data(),
                                      pass.size(), &limits);
    plain.shrink(len);
    return err;
}

/* The public key that a certificate or a request carries. */
template <class Read>
static ty_err read_carried(Context &ctx, Carrier &carrier, const std::string &path, bool any,
                           Read read)
{
    ty_key_form form;
    const Secret spki(carrier.cert.key.p, carrier.cert.key.len);
    const ty_err err = read(spki, form);
    const std::string what = carrier.cert.request ? "request" : "certificate";
    if (err != TY_OK) {
        const std::string kind = kind_of_key(spki);
        const std::string at = std::to_string(carrier.cert.key.p - carrier.der.data());
        throw Failure(
            EXIT_INPUT,
            path + ": a " + what + " with " +
                (kind.empty() ? "a key that is not valid or of an unknown algorithm" : kind) +
                " (at byte " + at + "), and this needs a key " + needed_kind(any),
            "ask its owner for another");
    }
    ctx.note(path + ": the public key of a " + what +
             "; no signature, path, name or date of it was checked");
    return TY_OK;
}

/* Warns of an unencrypted private key that others on this machine can read. */
static void warn_of_readers(Context &ctx, const std::string &path)
{
    if (path == "-" || !others_can_read(path)) return;
    ctx.warn(path + ": a private key that others can read; chmod 600 " + path +
             " makes it private");
}

static Secret read_key_file(const std::string &path)
{
    return Input(path).read_all(KEY_FILE_MAX, "a key");
}

/* read(data, form) reads a key that is not encrypted, and sets its form; from: see KeyOrigin; any:
 * see unsupported. */
template <class Read, class IsPrivate>
static void load(Context &ctx, KeyOrigin &from, const Secret &data, const std::string &path,
                 const Password &password, Need need, bool any, Read read, IsPrivate is_private)
{
    ty_key_cost &cost = from.lock;
    ty_key_form form = TY_KEY_PKCS8;
    ty_err err = ty_key_cost_get(&cost, data.data(), data.size());
    if (err == TY_OK && cost.encrypted) {
        Secret plain(TY_KEY_DECRYPTED_MAX);
        err = decrypt(plain, data, cost, path, password);
        if (err == TY_OK) err = read(plain, form);
        /* A wrong password decrypts to noise: its padding may be right, but it is not a key. */
        if (err == TY_ERR_FORMAT ||
            (err == TY_OK &&
             form != (cost.form == TY_KEY_SEC1_OPENSSL ? TY_KEY_SEC1 : TY_KEY_PKCS8)))
            err = TY_ERR_VERIFY;
        if (err == TY_OK && cost.form == TY_KEY_SEC1_OPENSSL)
            ctx.warn(path + ": its password is protected by a single MD5; tongyu convert --encrypt "
                            "writes a better file");
    } else {
        if (err == TY_OK) err = read(data, form);
        /* A raw key may begin like DER, so it is tried only if the file cannot be read as DER. */
        if (err == TY_ERR_FORMAT || err == TY_ERR_UNSUPPORTED) {
            const Secret raw = wrap_raw_key(from.raw, data, from.alg, path);
            if (!raw.empty()) err = read(raw, form);
        }
        if ((err == TY_ERR_UNSUPPORTED || err == TY_ERR_FORMAT) && need == Need::Public &&
            is_carrier(data)) {
            from.carrier = std::make_unique<Carrier>(data, path);
            err = read_carried(ctx, *from.carrier, path, any, read);
        }
        if (err == TY_OK && password.given() && !password.shared)
            ctx.warn(path + " is not encrypted: its password was not needed");
    }
    if (err != TY_OK) unreadable(err, data, path, need, any);
    if (need == Need::Private && !is_private())
        throw Failure(EXIT_INPUT, path + ": a public key, and this needs the private one",
                      "give the private key with -k");
    if (is_private() && !cost.encrypted) warn_of_readers(ctx, path);
}

void load_key(Context &ctx, ty_key &key, const std::string &path, const Password &password,
              Need need)
{
    read_key(ctx, key, read_key_file(path), path, password, need);
}

void read_key(Context &ctx, ty_key &key, const Secret &text, const std::string &name,
              const Password &password, Need need)
{
    KeyOrigin from;
    load(ctx, from, text, name, password, need, false,
         [&key](const Secret &data, ty_key_form &form) {
             const ty_err err = ty_key_read(&key, data.data(), data.size(), nullptr, 0);
             form = key.form;
             return err;
         },
         [&key] { return key.private_key != 0; });
}

void load_any_key(Context &ctx, AnyKey &key, const std::string &path, const Password &password,
                  Need need, const std::string &curve)
{
    read_any_key(ctx, key, read_key_file(path), path, password, need, curve);
}

void read_any_key(Context &ctx, AnyKey &key, const Secret &text, const std::string &path,
                  const Password &password, Need need, const std::string &curve)
{
    const ty_ec_curve *required = curve.empty() ? nullptr : key.take_curve(curve);
    if (!key.any_curve) key.any_curve = std::make_unique<ty_ec_any>();
    load(ctx, key.from, text, path, password, need, true,
         [&key](const Secret &data, ty_key_form &form) {
             ty_err err = ty_key_read(&key.sm2, data.data(), data.size(), nullptr, 0);
             if (err == TY_ERR_UNSUPPORTED)
                 err = ty_ec_key_read(&key.ec, &key.ec_file, key.any_curve.get(), data.data(),
                                      data.size(), nullptr, 0);
             if (err == TY_ERR_UNSUPPORTED)
                 err =
                     ty_mldsa_key_read(&key.mldsa, &key.file, data.data(), data.size(), nullptr, 0);
             form = key.inner_form();
             return err;
         },
         [&key] { return key.is_private(); });
    if (required && key.ec.pub.curve != required)
        throw Failure(EXIT_INPUT,
                      path + ": a key of " + key.title() + ", and not on the curve of --curve",
                      "give another key");
}
