// Files that the command parses: lists of recipients, files that may be signatures, and the
// extensions of certificates and requests. What is accepted is the same when it is written again.
#include "extensions.hpp"
#include "fail.hpp"
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
#include "recipient_list.hpp"
#include "signature_form.hpp"

static const char pem[] = "-----BEGIN PUBLIC KEY-----\nMFkw#\n-----END PUBLIC KEY-----\n";

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    const std::string digits(128, '7');
    for (const std::string &list : std::vector<std::string> {
             "alice.pem\nbob.pem # Bob\n\n\t# nobody\r\n" + digits + "\n",
             std::string("  ") + pem + "a\n", pem + digits + "\n" + pem,
             "a b\n" + digits.substr(0, 66), "-----BEGIN PUBLIC KEY-----\n" })
        s.push_back(bytes('\0' + list));
    for (const char *carrier : {fixture::certificate, fixture::request}) {
        Bytes der(1 + std::strlen(carrier), 2);
        size_t n = der.size() - 1;
        HOLDS(ty_cert_from_pem(der.data() + 1, &n, carrier, std::strlen(carrier)) == TY_OK);
        der.resize(1 + n);
        s.push_back(der);
    }
    const Bytes der = unhex("01 3006 020101 020102"), high = unhex("01 3008 02020081 020200ff");
    s.push_back(der);
    s.push_back(high);
    s.push_back(bytes("\1" "3006020101020102\n"));
    s.push_back(bytes("\1" "MAYCAQECAQI=\n"));
    for (const size_t len : {64u, 2420u, 3309u, 4627u}) s.push_back(Bytes(1 + len, 1));
    return s;
}

static void list(const std::string &text)
{
    std::vector<ListedReader> readers;
    try {
        readers = parse_recipient_list(text.data(), text.size(), "list");
    } catch (const Failure &f) {
        HOLDS(f.status == EXIT_INPUT);
        HOLDS(text.find("-----BEGIN ") != std::string::npos ||
              text.find('\0') != std::string::npos);
        return;
    }
    std::string again;
    size_t line = 0;
    for (const auto &r : readers) {
        HOLDS(!r.text.empty() && r.line > line);
        HOLDS(!r.is_file || r.text.find_first_of("#\n") == std::string::npos);
        line = r.line;
        again += r.text + "\n";
    }
    const auto same = parse_recipient_list(again.data(), again.size(), "list");
    HOLDS(same.size() == readers.size());
    for (size_t i = 0; i < same.size(); i++)
        HOLDS(same[i].is_file == readers[i].is_file && same[i].text == readers[i].text);
}

static Bytes integer(const Secret &n)
{
    Bytes out{2, static_cast<uint8_t>(n.size() + (n[0] >> 7))};
    if (n[0] >> 7) out.push_back(0);
    out.insert(out.end(), n.data(), n.data() + n.size());
    return out;
}

static void signature(const Bytes &file)
{
    SignatureForm sig;
    if (!sig.read(Secret(file.data(), file.size()))) return;
    HOLDS(sig.text || sig.len == file.size());
    HOLDS(sig.r.empty() == sig.s.empty() && sig.r.empty() == (sig.form == "bytes"));
    if (sig.form == "r || s") HOLDS(sig.r.size() == 32 && sig.s.size() == 32 && sig.len == 64);
    if (sig.form != "DER") return;
    Bytes pair = integer(sig.r);
    const Bytes s = integer(sig.s);
    pair.insert(pair.end(), s.begin(), s.end());
    Bytes der{0x30};
    if (pair.size() > 127) der.push_back(0x81);
    der.push_back(static_cast<uint8_t>(pair.size()));
    der.insert(der.end(), pair.begin(), pair.end());
    const Secret bytes = decode_text(Secret(file.data(), file.size()));
    HOLDS(same(bytes.data(), bytes.size(), der.data(), der.size()));
}

static bool is_ascii(const std::string &text)
{
    for (const char c : text)
        if (c < 0x20 || c >= 0x7f) return false;
    return true;
}

static void extensions(const Bytes &der)
{
    ty_cert cert;
    size_t where;
    if (ty_cert_read(&cert, &where, der.data(), der.size()) != TY_OK) return;
    const Extensions e(cert);
    const uint8_t usage[] = {0x55, 0x1d, 15};
    HOLDS(e.key_usage.empty() || ty_cert_extension(&cert, usage, 3).len != 0);
    for (const auto &name : e.names)
        HOLDS(name.compare(0, 10, "directory:") == 0 || is_ascii(name));
    for (const auto &texts : {e.purposes, e.others})
        for (const auto &text : texts) HOLDS(!text.empty() && is_ascii(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] % 3 == 1) signature(Bytes(data + 1, data + size));
    else if (data[0] % 3 == 2) extensions(Bytes(data + 1, data + size));
    else list(std::string(reinterpret_cast<const char *>(data) + 1, size - 1));
    return 0;
}
