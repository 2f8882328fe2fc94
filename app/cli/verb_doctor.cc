/* doctor: reports the state of the OpenSSL provider on this machine. When a module does not load,
 * libcrypto by default reports nothing; this command reports for each libcrypto whether the module
 * is configured, whether it loads, which algorithms it provides, and what to write into which file.
 *
 * Each libcrypto is loaded as a program would load it, and queried; each openssl command is run. */
#if !defined(_WIN32)
#include "context.hpp"
#include "../provider/counted.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <dlfcn.h>
#include <unistd.h>

namespace {

struct DoctorOptions {
    std::vector<std::string> libraries;
    std::string statistics;
    bool named = true;
};

/* The functions of libcrypto by name, so that the command is built without its headers. */
class Libcrypto {
    void *so;

  public:
    explicit Libcrypto(const char *name) : so(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
    explicit operator bool() const { return so && find<const char *(int)>("OPENSSL_info"); }
    template <class F> F *find(const char *name) const
    {
        return reinterpret_cast<F *>(dlsym(so, name));
    }

    std::string path() const
    {
        Dl_info info;
        return dladdr(dlsym(so, "OPENSSL_info"), &info) && info.dli_fname ? info.dli_fname : "";
    }
    std::string version() const { return find<const char *(int)>("OpenSSL_version")(0); }
    std::string config_file() const
    {
        const char *named = std::getenv("OPENSSL_CONF");
        return named ? named
                     : std::string(info(1001)) + "/openssl.cnf"; /* OPENSSL_INFO_CONFIG_DIR */
    }
    std::string module_file() const
    {
        return std::string(info(1003)) + "/tongyu.so";
    } /* OPENSSL_INFO_MODULES_DIR */
    bool available(const char *name) const
    {
        return find<int(void *, const char *)>("OSSL_PROVIDER_available")(nullptr, name) == 1;
    }

    /* The provider that a program gets for an operation if it names none. */
    std::string winner(const char *operation, const char *algorithm) const
    {
        const std::string of = operation;
        void *it = find<void *(void *, const char *, const char *)>((of + "_fetch").c_str())(
            nullptr, algorithm, nullptr);
        if (!it) return "none";
        void *provider = find<void *(const void *)>((of + "_get0_provider").c_str())(it);
        const std::string name =
            provider ? find<const char *(const void *)>("OSSL_PROVIDER_get0_name")(provider)
                     : "none";
        find<void(void *)>((of + "_free").c_str())(it);
        return name;
    }

    /* Why the module of this path does not load; empty if it does. It is loaded in a context of its
     * own, so that nothing here changes. */
    std::string load_failure(const std::string &module) const
    {
        void *lib = find<void *()>("OSSL_LIB_CTX_new")();
        const std::string dir = module.substr(0, module.rfind('/'));
        find<int(void *, const char *)>("OSSL_PROVIDER_set_default_search_path")(lib, dir.c_str());
        void *provider = find<void *(void *, const char *)>("OSSL_PROVIDER_load")(lib, "tongyu");
        std::string reason;
        if (provider) find<int(void *)>("OSSL_PROVIDER_unload")(provider);
        else {
            const char *data = nullptr;
            find<unsigned long(const char **, int *, const char **, const char **, int *)>(
                "ERR_peek_last_error_all")(nullptr, nullptr, nullptr, &data, nullptr);
            reason = data && *data ? data : "no reason is given";
        }
        find<void(void *)>("OSSL_LIB_CTX_free")(lib);
        return reason;
    }

  private:
    const char *info(int what) const
    {
        const char *text = find<const char *(int)>("OPENSSL_info")(what);
        return text ? text : "";
    }
};

const struct {
    const char *operation, *algorithm;
} asked[] = {
    { "EVP_MD", "SM3" },
    { "EVP_CIPHER", "SM4-CBC" },
    { "EVP_CIPHER", "SM4-GCM" },
    { "EVP_KEYMGMT", "SM2" },
    { "EVP_SIGNATURE", "SM2" },
    { "EVP_ASYM_CIPHER", "SM2" },
    { "EVP_KEYEXCH", "curveSM2" },
    { "EVP_SIGNATURE", "ML-DSA-44" },
    { "EVP_SIGNATURE", "ML-DSA-65" },
    { "EVP_SIGNATURE", "ML-DSA-87" },
};

std::string stanza(const std::string &module)
{
    return "config_diagnostics = 1\n"
           "openssl_conf = openssl_init\n"
           "[openssl_init]\n"
           "providers = provider_sect\n"
           "alg_section = algorithm_sect\n"
           "[provider_sect]\n"
           "default = default_sect\n"
           "tongyu = tongyu_sect\n"
           "[default_sect]\n"
           "activate = 1\n"
           "[tongyu_sect]\n"
           "module = "
           + module
           + "\n"
             "activate = 1\n"
             "[algorithm_sect]\n"
             "default_properties = ?provider=tongyu\n";
}

/* What to do next, or why the module does not load; empty if all is well. */
std::string advice(const Libcrypto &c, bool active, bool installed, const std::string &failure,
                   bool wins_all)
{
    if (!installed)
        return "install the module as " + c.module_file()
               + " (configure with -DTONGYU_PROVIDER=ON, then cmake --install)";
    if (!failure.empty()) return "the module does not load: " + failure;
    if (!active) return "write the stanza below into " + c.config_file();
    if (!wins_all)
        return "set default_properties = ?provider=tongyu in the section that alg_section names, "
               "in "
               + c.config_file();
    return "";
}

Json examine(const Libcrypto &c)
{
    Json row = { { "library", c.path() },
                 { "version", c.version() },
                 { "config", c.config_file() },
                 { "module", c.module_file() } };
    const bool active = c.available("tongyu"),
               installed = access(c.module_file().c_str(), R_OK) == 0;
    const std::string failure = installed ? c.load_failure(c.module_file()) : "";
    bool all = true;
    Json winners = Json::object();
    for (const auto &a : asked) {
        const std::string who = c.winner(a.operation, a.algorithm);
        winners[std::string(a.operation).substr(4) + " " + a.algorithm] = who;
        all = all && who == "tongyu";
    }
    row["active"] = active;
    row["installed"] = installed;
    row["loads"] = installed ? failure.empty() : active;
    row["winners"] = winners;
    row["well"] = active && all;
    if (!row["well"]) row["next"] = advice(c, active, installed || active, failure, all);
    return row;
}

/* An openssl command may have a libcrypto of its own inside: its version, and whether it lists
 * the module. */
Json ask_command(const std::string &path)
{
    std::string text;
    char buffer[4096];
    FILE *p = popen(
        ("'" + path + "' version -v -d -m 2>/dev/null; '" + path + "' list -providers 2>/dev/null")
            .c_str(),
        "r");
    if (!p) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno));
    while (size_t n = std::fread(buffer, 1, sizeof buffer, p)) text.append(buffer, n);
    pclose(p);
    return { { "command", path },
             { "version", text.substr(0, text.find('\n')) },
             { "active", text.find("name: Tongyu") != std::string::npos } };
}

std::vector<std::string> commands()
{
    std::vector<std::string> found;
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string dir; std::getline(path, dir, ':');) {
        const std::string file = dir + "/openssl";
        if (file.find('\'') == std::string::npos && access(file.c_str(), X_OK) == 0)
            found.push_back(file);
    }
    return found;
}

/* The file may contain anything: only characters that occur in the provider's own names are written
 * to the terminal. */
Json counts_of(const std::string &file)
{
    const char *next = "name the file that \"statistics\" in openssl.cnf names";
    prov_count_row rows[PROV_COUNT_END];
    std::error_code none;
    const bool fits = std::filesystem::is_regular_file(file, none)
                      && std::filesystem::file_size(file, none) == sizeof rows;
    if (none) throw Failure(EXIT_INPUT, file + ": " + none.message(), next);
    const Failure other(EXIT_INPUT, file + ": not a file of statistics", next);
    if (!fits) throw other;
    std::ifstream in(file, std::ios::binary);
    if (!in.read((char *)rows, sizeof rows))
        throw Failure(EXIT_INPUT, file + ": " + errno_text(errno), next);
    Json counts = Json::object();
    for (const auto &row : rows) {
        const std::string name(row.name, strnlen(row.name, sizeof row.name));
        if (name.empty()
            || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != name.npos)
            throw other;
        counts[name] = row.count;
    }
    return counts;
}

void print(const Json &row)
{
    std::printf("%s\n  %s\n", row["library"].get<std::string>().c_str(),
                row["version"].get<std::string>().c_str());
    std::printf("  configuration  %s\n  module         %s\n",
                row["config"].get<std::string>().c_str(), row["module"].get<std::string>().c_str());
    std::printf("  installed      %s\n  loads          %s\n  active         %s\n",
                row["installed"] ? "yes" : "no", row["loads"] ? "yes" : "no",
                row["active"] ? "yes" : "no");
    for (const auto &w : row["winners"].items())
        std::printf("  %-22s %s\n", w.key().c_str(), w.value().get<std::string>().c_str());
    if (row.contains("next")) std::printf("  next: %s\n", row["next"].get<std::string>().c_str());
}

int doctor(Context &ctx, const DoctorOptions &o)
{
    Json libraries = Json::array(), found = Json::array();
    std::string module;
    bool well = false;
    for (const auto &name : o.libraries) {
        const Libcrypto c(name.c_str());
        if (!c && o.named)
            throw Failure(EXIT_INPUT, name + ": not a libcrypto of OpenSSL 3.0 or later",
                          "name the file, such as /usr/lib/libcrypto.so.3");
        if (!c) continue;
        libraries.push_back(examine(c));
        well = well || libraries.back()["well"];
        if (!libraries.back()["well"]) module = c.module_file();
    }
    for (const auto &path : commands()) found.push_back(ask_command(path));
    ctx.result["libraries"] = libraries;
    ctx.result["commands"] = found;
    if (!o.statistics.empty()) ctx.result["statistics"] = counts_of(o.statistics);
    if (!module.empty()) ctx.result["stanza"] = stanza(module);
    if (!ctx.json) {
        for (const auto &row : libraries) print(row);
        for (const auto &row : found)
            std::printf("%s\n  %s\n  active         %s\n",
                        row["command"].get<std::string>().c_str(),
                        row["version"].get<std::string>().c_str(), row["active"] ? "yes" : "no");
        if (ctx.result.contains("statistics"))
            for (const auto &c : ctx.result["statistics"].items())
                std::printf("%-18s %llu\n", c.key().c_str(),
                            (unsigned long long)c.value().get<uint64_t>());
        if (!module.empty()) std::printf("\n%s", stanza(module).c_str());
    }
    if (libraries.empty() && found.empty())
        throw Failure(EXIT_INPUT, "no OpenSSL 3.0 or later was found",
                      "name one: tongyu doctor /path/libcrypto.so.3");
    return well || libraries.empty() ? EXIT_GOOD : EXIT_REFUSED;
}

} // namespace

void add_doctor(CLI::App &root, Context &ctx)
{
    const auto o = std::make_shared<DoctorOptions>();
    CLI::App *app = add_verb(&root, ctx, "doctor",
                             "Tell whether OpenSSL uses Tongyu, and what to do if not", [o, &ctx] {
                                 o->named = !o->libraries.empty();
                                 if (!o->named)
                                     o->libraries = { "libcrypto.so.3", "libcrypto.so.4" };
                                 return doctor(ctx, *o);
                             });
    app->add_option("library", o->libraries,
                    "Which libcrypto [libcrypto.so.3 and .4, wherever the system finds them]")
        ->type_name("FILE");
    add_path(app, "--statistics", o->statistics,
             "Show the file that \"statistics\" in openssl.cnf names");
    app->footer(
        "The exit status is 1 if a libcrypto was found, but none uses Tongyu for everything it "
        "could.\n\nExamples:\n  tongyu doctor\n  tongyu doctor --json");
}
#endif
