/* request: PKCS #10 (RFC 2986) for keys of SM2 and ML-DSA. */
#include "cms.hpp"
#include "context.hpp"
#include "extensions.hpp"
#include "system.hpp"
#include "x509_names.hpp"

#include <cstdio>
#include <set>

/* --- extensions ------------------------------------------------------------------------------- */

static std::vector<std::string> purpose_choices()
{
    std::vector<std::string> names;
    for (const auto &p : purposes) names.push_back(p.name);
    return names;
}

static Der extension(const std::string &oid, bool critical, const Der &value)
{
    return der(DER_SEQUENCE,
               der_oid(oid) + (critical ? der(DER_BOOLEAN, "\xff") : "") + der(DER_OCTETS, value));
}

static size_t index_of(const std::vector<std::string> &names, const std::string &name,
                       const std::string &option)
{
    for (size_t i = 0; i < names.size(); i++)
        if (names[i] == name) return i;
    const std::string near = did_you_mean(name, names);
    throw Failure(EXIT_USAGE, option + ": unknown name '" + name + "'",
                  near.empty() ? "choose among " + CLI::detail::join(names, ", ") : near);
}

/* BIT STRING of named bits, without trailing zeros    [X.690, 11.2.2] */
static Der key_usage(const std::vector<std::string> &names)
{
    unsigned bits = 0, count = 0;
    for (const auto &name : names) {
        const unsigned bit = static_cast<unsigned>(index_of(key_usage_bits, name, "--key-usage"));
        bits |= 0x8000u >> bit;
        count = std::max(count, bit + 1);
    }
    const unsigned len = (count + 7) / 8;
    std::string out(1, static_cast<char>(8 * len - count));
    for (unsigned i = 0; i < len; i++) out += static_cast<char>(bits >> (8 - 8 * i) & 0xff);
    return der(DER_BITS, out);
}

static std::string address_of(const std::string &text)
{
    uint8_t bytes[16];
    const size_t len = internet_address(bytes, text);
    if (len == 0)
        throw Failure(EXIT_USAGE, "--ip: '" + text + "' is not an address",
                      "write 192.0.2.1 or 2001:db8::1");
    return std::string(reinterpret_cast<char *>(bytes), len);
}

struct Request {
    std::string key, subject, out, coding = "pem", check_file;
    std::vector<std::string> dns, ip, email, uri, key_usage_names, purpose_names, others;
    bool ca = false, force = false;
    Identity id;
    Password password;

    Der alternative_names() const
    {
        std::string names;
        for (const auto &s : email) names += mail_name(s);
        for (const auto &s : dns) names += host_name(s);
        for (const auto &s : uri) names += uri_name(s);
        for (const auto &s : ip) names += der(0x87, address_of(s));
        return names;
    }

    /* OID=HEX, OID=critical:HEX */
    static Der other_extension(const std::string &text)
    {
        const size_t eq = text.find('=');
        const bool critical = eq != std::string::npos && text.compare(eq + 1, 9, "critical:") == 0;
        const std::string oid = text.substr(0, eq);
        if (eq == std::string::npos || oid.size() > 64 || !is_oid(oid))
            throw Failure(EXIT_USAGE, "--extension cannot be '" + text + "'",
                          "write OID=HEX or OID=critical:HEX, for example "
                          "1.3.6.1.5.5.7.1.24=3003020105");
        const Secret value = from_hex(text.substr(eq + (critical ? 10 : 1)), "--extension");
        const std::string bytes(value.chars(), value.size());
        if (!is_der_element(bytes))
            throw Failure(EXIT_USAGE,
                          "--extension: the value of " + oid + " is not one element of DER",
                          "write tag, length and contents in hexadecimal, for example 3003020105");
        return extension(oid, critical, bytes);
    }

    /* ExtKeyUsage */
    Der purpose_list() const
    {
        Der oids;
        const auto choices = purpose_choices();
        for (const auto &name : purpose_names) {
            const Purpose &p = purposes[index_of(choices, name, "--purpose")];
            oids += der_oid("1.3.6.1.5.5.7.3." + std::to_string(p.number));
        }
        return der(DER_SEQUENCE, oids);
    }

    Der extensions() const
    {
        Der all;
        std::set<std::string> seen;
        const auto add = [&](const std::string &oid, const Der &one) {
            if (!seen.insert(oid).second)
                throw Failure(EXIT_USAGE, "the extension " + oid + " was given twice",
                              "give each extension once");
            all += one;
        };
        const auto put = [&](const std::string &oid, bool critical, const Der &value) {
            add(oid, extension(oid, critical, value));
        };
        if (const Der names = alternative_names(); !names.empty())
            put("2.5.29.17", subject.empty(), der(DER_SEQUENCE, names));
        if (ca) put("2.5.29.19", true, der(DER_SEQUENCE, der(DER_BOOLEAN, "\xff")));
        if (!key_usage_names.empty()) put("2.5.29.15", true, key_usage(key_usage_names));
        if (!purpose_names.empty()) put("2.5.29.37", false, purpose_list());
        for (const auto &text : others) add(text.substr(0, text.find('=')), other_extension(text));
        return all;
    }

    /* CertificationRequest */
    Der make(const AnyKey &k) const
    {
        const Der request = extensions();   /* extensionRequest    [RFC 2985, 5.4.2] */
        const Secret spki = k.public_file(TY_KEY_DER);
        const Der info = der(
            DER_SEQUENCE,
            der_number(0) + subject_name(subject) + std::string(spki.chars(), spki.size()) +
                der(DER_CTX0, request.empty() ? ""
                                              : der(DER_SEQUENCE,
                                                    der_oid("1.2.840.113549.1.9.14") +
                                                        der(DER_SET, der(DER_SEQUENCE, request)))));
        Signable over(k, id.get());
        over.update(info.data(), info.size());
        return der(DER_SEQUENCE,
                   info + der_algorithm(signature_oid(k, false)) + der_bits(over.sign()));
    }

    /* Verifies the signature of a request with the key in it: the proof that its maker has the
     * private key. */
    int check_one(Context &ctx) const
    {
        const Carrier c(Input(check_file).read_all(64 * 1024, "a request"), check_file);
        if (!c.cert.request)
            throw Failure(EXIT_INPUT, check_file + ": a certificate, not a request",
                          "see tongyu inspect");
        AnyKey k;
        read_carried_key(k, c, check_file);
        const bool known = dotted(c.cert.algorithm) == signature_oid(k, false);
        const auto holds = [&](const Secret &name) {
            Signable over(k, name);
            over.update(c.cert.message.p, c.cert.message.len);
            return known && over.verify(c.cert.signature);
        };
        ctx.result["file"] = check_file;
        c.describe(ctx.result);
        ctx.result["valid"] = holds(id.get());
        if (!ctx.result["valid"] && k.is_sm2() && id.is_default() && holds(Secret()))
            throw Failure(EXIT_REFUSED,
                          check_file +
                              ": its signature does not verify with the identity " TY_SM2_ID
                              ", but it does with the empty one",
                          "if that is intended, give --id ''");
        if (!ctx.result["valid"])
            throw Failure(EXIT_REFUSED, check_file + ": its signature does not verify",
                          "it was damaged, or made with another identity");
        if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", check_file.c_str());
        return EXIT_GOOD;
    }

    int run(Context &ctx)
    {
        if (key.empty() && check_file.empty())
            throw Failure(EXIT_USAGE, "no key was given",
                          "give -k key.pem, or --check request.pem");
        if (!check_file.empty()) return check_one(ctx);
        if (subject.empty() && alternative_names().empty())
            throw Failure(EXIT_USAGE, "no name was given for the request",
                          "give --subject 'C=CN, CN=Alice', or --dns, --email, --ip, --uri");
        refuse_two_stdins({key, password.file});
        refuse_same_file({out}, {key, password.file});
        refuse_stdout(out, ctx.json, coding == "der");
        refuse_output(out, force);
        AnyKey k;
        load_any_key(ctx, k, key, password, Need::Private);
        if (k.is_ec())
            throw Failure(EXIT_INPUT,
                          key + ": a key on " + k.title() +
                              ", but requests are only made for SM2 and ML-DSA",
                          "use openssl req");
        const Der text = make(k);
        Output file(out, output_flags(force));
        if (coding == "der") file.write(text);
        else file.write(to_pem(text, "CERTIFICATE REQUEST"));
        file.commit();
        ctx.result["alg"] = k.alg();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

void add_request(CLI::App &root, Context &ctx)
{
    const auto r = std::make_shared<Request>();
    CLI::App *app =
        add_verb(&root, ctx, "request", "Ask an authority for a certificate of a key (PKCS#10)",
                 [r, &ctx] { return r->run(ctx); });
    const auto common = app->get_options();
    const auto add_list = [app](const char *name, std::vector<std::string> &list, const char *type,
                                const std::string &help) {
        app->add_option(name, list, help)->type_name(type)->allow_extra_args(false);
    };
    add_path(app, "-k,--key", r->key, "Private key, of SM2 or ML-DSA");
    add_text(app, "--subject", r->subject, "NAME",
             "Name of the key's holder: 'C=CN, O=Example, CN=Alice'");
    add_list("--dns", r->dns, "HOST",
             "Another name: a host; this option and the next three may be repeated");
    add_list("--email", r->email, "ADDRESS", "Another name: a mail address");
    add_list("--ip", r->ip, "ADDRESS", "Another name: an IP address");
    add_list("--uri", r->uri, "URI", "Another name: a URI");
    add_list("--key-usage", r->key_usage_names, "NAME",
             "What the key may do: " + CLI::detail::join(key_usage_bits, ", "));
    add_list("--purpose", r->purpose_names, "NAME",
             "What the key is for: " + CLI::detail::join(purpose_choices(), ", "));
    app->add_flag("--ca", r->ca, "Ask for the certificate of an authority");
    add_list("--extension", r->others, "OID=HEX",
             "Any other extension, its value in DER (OID=critical:HEX)");
    r->id.add_options(app, "SM2: the signer's");
    CLI::Option *check =
        add_path(app, "--check", r->check_file,
                 "Make no request, but verify that this one was signed by the key in it");
    r->password.add_opening_options(app, "of the key");
    add_choice(app, "--coding", r->coding, {"pem", "der"}, "Coding of the request")
        ->capture_default_str();
    add_path(app, "-o,--out", r->out, "Request (default: stdout)");
    add_force(app, r->force);
    std::set<const CLI::Option *> checking(common.begin(), common.end());
    checking.insert({check, app->get_option("--id"), app->get_option("--id-hex")});
    for (CLI::Option *opt : app->get_options())
        if (!checking.count(opt)) check->excludes(opt);
    app->footer(
        "Examples:\n"
        "  tongyu request -k key.pem --subject 'C=CN, O=Example, CN=Alice' -o alice.csr\n"
        "  tongyu request -k mldsa.pem --dns www.example.org --purpose serverAuth -o www.csr\n"
        "  tongyu request --check alice.csr");
}
