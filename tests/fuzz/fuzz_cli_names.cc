// Names in certificate requests. A subject that is accepted is the same when the text that the
// library shows for it is read; hosts, mail addresses and URIs are unchanged in one element.
#include "fuzz/fuzz.hpp"
#include "x509_names.hpp"

#include "fail.hpp"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (const std::string &line : std::vector<std::string> {
             "0C=CN, OU=Keys + O=Acme\\, Inc, CN=Alice", "0CN=\\ a\\ ",
             "0CN=\xe5\x90\x8c, DC=example", "0emailAddress=a.b@c.example",
             "0serialNumber=12:3 (a)=b", "0CN=\\e5\\90\\8c+SN=\\#x", "0UID=a;b<c>d\\\\\"",
             "1www.example.org", "1*.a-b.example", "2alice.b+c@example.org",
             "3https://a.example/%41?b#c", "3urn:x" })
        s.push_back(bytes(line));
    return s;
}

static bool is_one_element(const Der &d, uint8_t tag, const std::string &contents)
{
    return d == der(tag, contents) && is_der_element(d);
}

static void subject(const std::string &text)
{
    const Der name = subject_name(text);
    HOLDS(is_der_element(name));
    const std::string shown =
        text_of(ty_cert_name_text, {reinterpret_cast<const uint8_t *>(name.data()), name.size()});
    HOLDS(shown.empty() == (name.size() == 2));
    for (const char c : shown) HOLDS(static_cast<uint8_t>(c) >= 0x20 && c != 0x7f);
    if (shown.find("\\u") != std::string::npos)
        return;   // escaped bidirectional marks are shown, but not read
    HOLDS(subject_name(shown) == name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
    try {
        switch (data[0] % 4) {
        case 0: subject(text); break;
        case 1: HOLDS(is_one_element(host_name(text), 0x82, text) && text.size() <= 253); break;
        case 2: HOLDS(is_one_element(mail_name(text), 0x81, text) && text.find('@') != 0); break;
        default: HOLDS(is_one_element(uri_name(text), 0x86, text) && text.find(':') != 0);
        }
    } catch (const Failure &f) {
        HOLDS(f.status == EXIT_USAGE && !f.next.empty() && std::strlen(f.what()) > 0);
    }
    return 0;
}
