/* request: PKCS #10 (RFC 2986) for keys of SM2 and ML-DSA. */
#include "cms.hpp"
#include "context.hpp"
#include "system.hpp"

#include <cstdio>
#include <set>

/* --- names ------------------------------------------------------------------------------ */

/* Types of a name and how their values are written    [RFC 5280, appendix A; RFC 2985] */
static const struct {
    const char *name, *oid;
    uint8_t tag;
} name_types[] = {
    {"CN", "2.5.4.3", DER_UTF8},
    {"SN", "2.5.4.4", DER_UTF8},
    {"serialNumber", "2.5.4.5", DER_PRINTABLE},
    {"C", "2.5.4.6", DER_PRINTABLE},
    {"L", "2.5.4.7", DER_UTF8},
    {"ST", "2.5.4.8", DER_UTF8},
    {"street", "2.5.4.9", DER_UTF8},
    {"O", "2.5.4.10", DER_UTF8},
    {"OU", "2.5.4.11", DER_UTF8},
    {"title", "2.5.4.12", DER_UTF8},
    {"postalCode", "2.5.4.17", DER_UTF8},
    {"GN", "2.5.4.42", DER_UTF8},
    {"emailAddress", "1.2.840.113549.1.9.1", DER_IA5},
    {"UID", "0.9.2342.19200300.100.1.1", DER_UTF8},
    {"DC", "0.9.2342.19200300.100.1.25", DER_IA5},
};

[[noreturn]] static void bad_subject(const std::string &what)
{
    throw Failure(EXIT_USAGE, "--subject: " + what,
                  "write it as inspect does: 'C=CN, O=Example, CN=Alice'");
}

static bool fits_tag(uint8_t tag, const std::string &value)
{
    static const std::string punctuation = " '()+,-./:=?";
    for (const char c : value) {
        const bool alnum =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (tag == DER_PRINTABLE && !alnum && punctuation.find(c) == std::string::npos)
            return false;
        if (tag == DER_IA5 && static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

/* AttributeTypeAndValue */
static Der name_pair(const std::string &type, const std::string &value)
{
    if (value.empty()) bad_subject(type + " is empty");
    if (!is_utf8(value)) bad_subject(type + " is not UTF-8");
    for (const auto &t : name_types) {
        if (type != t.name) continue;
        if (type == "C" && value.size() != 2)
            bad_subject("C is a country's two letters, and not '" + value + "'");
        if (!fits_tag(t.tag, value))
            bad_subject(type + " cannot hold all characters of '" + value + "'");
        return der(DER_SEQUENCE, der_oid(t.oid) + der(t.tag, value));
    }
    std::vector<std::string> names;
    for (const auto &t : name_types) names.push_back(t.name);
    const std::string near = did_you_mean(type, names);
    bad_subject("unknown type '" + type + "'" + (near.empty() ? "" : ", " + near));
}

/* The text up to one of these characters, which is passed over; spaces around it and backslashes
 * taken away    [RFC 4514, 2.4] */
static std::string take_until(const std::string &text, size_t &at, const std::string &ends)
{
    std::string out;
    size_t kept = 0;   /* of out, even if it is a space */
    for (; at < text.size() && ends.find(text[at]) == std::string::npos; at++) {
        const bool escaped = text[at] == '\\';
        if (escaped && ++at == text.size()) bad_subject("a \\ at the end");
        if (escaped && at + 1 < text.size() && is_digit(text[at]) && is_digit(text[at + 1])) {
            const Secret byte = from_hex(text.substr(at++, 2), "--subject");
            out += static_cast<char>(byte[0]);
        } else if (!out.empty() || escaped || text[at] != ' ') {
            out += text[at];
        }
        if (escaped || text[at] != ' ') kept = out.size();
    }
    return out.substr(0, kept);
}

/* Name, from "C=CN, OU=Keys + O=Acme\, Inc, CN=Alice" */
static Der name_of(const std::string &text)
{
    std::string names;
    std::vector<Der> together;
    for (size_t at = 0; at < text.size();) {
        const std::string type = take_until(text, at, "=,+");
        if (at == text.size() || text[at] != '=') bad_subject("'" + type + "' has no =");
        const std::string value = take_until(text, ++at, ",+");
        together.push_back(name_pair(type, value));
        const bool more = at < text.size() && text[at] == '+';
        if (at < text.size() && at + 1 == text.size())
            bad_subject("nothing after its last " + text.substr(at));
        if (!more) {
            names += der_set(std::move(together));
            together.clear();
        }
        at++;
    }
    return der(DER_SEQUENCE, names);
}

/* --- extensions ------------------------------------------------------------------------- */

static const std::vector<std::string> usages = {
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
    "keyCertSign",      "cRLSign",        "encipherOnly",    "decipherOnly"};   /* bits 0 to 8 */
static const std::vector<std::string> purposes = {"serverAuth",      "clientAuth",   "codeSigning",
                                                  "emailProtection", "timeStamping", "OCSPSigning"};
static const int purpose_numbers[] = {1, 2, 3, 4, 8, 9};   /* of 1.3.6.1.5.5.7.3 */

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

/* BIT STRING of named bits, without zeros at its end    [X.690, 11.2.2] */
static Der key_usage(const std::vector<std::string> &names)
{
    unsigned bits = 0, count = 0;
    for (const auto &name : names) {
        const unsigned bit = static_cast<unsigned>(index_of(usages, name, "--key-usage"));
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
        throw Failure(EXIT_USAGE, "--ip: '" + text + "' is no address",
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
        const auto add = [&names](const std::vector<std::string> &list, uint8_t tag,
                                  const char *option) {
            for (const auto &s : list) {
                if (s.empty() || !fits_tag(DER_IA5, s))
                    throw Failure(EXIT_USAGE, std::string(option) + ": '" + s + "' is not in ASCII",
                                  "write it in its ASCII form");
                names += der(tag, s);
            }
        };
        add(email, 0x81, "--email");
        add(dns, 0x82, "--dns");
        add(uri, 0x86, "--uri");
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
                          "write OID=HEX or OID=critical:HEX, as 1.3.6.1.5.5.7.1.24=3003020105");
        const Secret value = from_hex(text.substr(eq + (critical ? 10 : 1)), "--extension");
        const std::string bytes(value.chars(), value.size());
        if (!is_der_element(bytes))
            throw Failure(EXIT_USAGE, "--extension: the value of " + oid + " is not one element of DER",
                          "write tag, length and contents in hexadecimal, as 3003020105");
        return extension(oid, critical, bytes);
    }

    Der extensions() const
    {
        std::string all;
        std::set<std::string> seen;
        const auto add = [&](const std::string &oid, const Der &one) {
            if (!seen.insert(oid).second)
                throw Failure(EXIT_USAGE, "the extension " + oid + " is there twice",
                              "give each extension once");
            all += one;
        };
        if (const Der names = alternative_names(); !names.empty())
            add("2.5.29.17", extension("2.5.29.17", subject.empty(), der(DER_SEQUENCE, names)));
        if (ca)
            add("2.5.29.19",
                extension("2.5.29.19", true, der(DER_SEQUENCE, der(DER_BOOLEAN, "\xff"))));
        if (!key_usage_names.empty())
            add("2.5.29.15", extension("2.5.29.15", true, key_usage(key_usage_names)));
        std::string oids;
        for (const auto &name : purpose_names)
            oids += der_oid("1.3.6.1.5.5.7.3." +
                            std::to_string(purpose_numbers[index_of(purposes, name, "--purpose")]));
        if (!oids.empty())
            add("2.5.29.37", extension("2.5.29.37", false, der(DER_SEQUENCE, oids)));
        for (const auto &text : others) add(text.substr(0, text.find('=')), other_extension(text));
        return all;
    }

    /* CertificationRequest */
    Der make(const AnyKey &k) const
    {
        const Der asked = extensions();   /* extensionRequest    [RFC 2985, 5.4.2] */
        const Secret spki = k.public_file(TY_KEY_DER);
        const Der info =
            der(DER_SEQUENCE,
                der_number(0) + name_of(subject) + std::string(spki.chars(), spki.size()) +
                    der(DER_CTX0, asked.empty() ? ""
                                                : der(DER_SEQUENCE,
                                                      der_oid("1.2.840.113549.1.9.14") +
                                                          der(DER_SET, der(DER_SEQUENCE, asked)))));
        Signable over(k, id.get());
        over.update(info.data(), info.size());
        return der(DER_SEQUENCE,
                   info + der_algorithm(signature_oid(k, false)) + der_bits(over.sign()));
    }

    /* The signature of a request by the key in it shows that whoever made it had the private key.
     */
    int check_one(Context &ctx) const
    {
        const Carrier c(Input(check_file).read_all(64 * 1024, "a request"), check_file);
        if (!c.cert.request)
            throw Failure(EXIT_INPUT, check_file + ": a certificate, and no request",
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
                          "if that is what was meant, give --id ''");
        if (!ctx.result["valid"])
            throw Failure(EXIT_REFUSED, check_file + ": its signature does not verify",
                          "it was damaged, or made with another identity");
        if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", check_file.c_str());
        return EXIT_GOOD;
    }

    int run(Context &ctx)
    {
        if (key.empty() == check_file.empty())
            throw Failure(EXIT_USAGE,
                          key.empty() ? "no key was given"
                                      : "a request is made or checked, not both",
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
                              ", and requests are made for SM2 and ML-DSA",
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
    const auto add_list = [app](const char *name, std::vector<std::string> &list, const char *type,
                                const std::string &help) {
        app->add_option(name, list, help)->type_name(type)->allow_extra_args(false);
    };
    add_path(app, "-k,--key", r->key, "Private key, of SM2 or ML-DSA");
    add_text(app, "--subject", r->subject, "NAME", "Whose it is: 'C=CN, O=Example, CN=Alice'");
    add_list("--dns", r->dns, "HOST",
             "Another name: a host; may be given again, as the following may");
    add_list("--email", r->email, "ADDRESS", "Another name: a mail address");
    add_list("--ip", r->ip, "ADDRESS", "Another name: an IP address");
    add_list("--uri", r->uri, "URI", "Another name: a URI");
    add_list("--key-usage", r->key_usage_names, "NAME",
             "What the key may do: " + CLI::detail::join(usages, ", "));
    add_list("--purpose", r->purpose_names, "NAME",
             "What it is for: " + CLI::detail::join(purposes, ", "));
    app->add_flag("--ca", r->ca, "The certificate shall be one of an authority");
    add_list("--extension", r->others, "OID=HEX",
             "Any other extension, its value in DER (OID=critical:HEX)");
    r->id.add_options(app, "SM2: the signer's");
    add_path(app, "--check", r->check_file,
             "Make none: verify that this one was signed by the key that it holds");
    r->password.add_opening_options(app, "of the key");
    add_choice(app, "--coding", r->coding, {"pem", "der"}, "Coding of the request")
        ->capture_default_str();
    add_path(app, "-o,--out", r->out, "Request (default: stdout)");
    add_force(app, r->force);
    app->footer(
        "Examples:\n"
        "  tongyu request -k key.pem --subject 'C=CN, O=Example, CN=Alice' -o alice.csr\n"
        "  tongyu request -k mldsa.pem --dns www.example.org --purpose serverAuth -o www.csr\n"
        "  tongyu request --check alice.csr");
}
