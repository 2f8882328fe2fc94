#include "curves.hpp"
#include "io.hpp"

#include <algorithm>

static std::vector<uint8_t> bytes_of(const uint8_t *p, size_t len) { return {p, p + len}; }

CurveNumbers::CurveNumbers(const ty_ec_params &p)
    : name(p.name ? p.name : ""), oid(p.oid ? p.oid : ""), poly(bytes_of(p.poly, p.poly_len)),
      n(bytes_of(p.n, p.n_len)), h(p.h)
{
    const size_t len = (degree() + 7) / 8;
    a = bytes_of(p.a, len);
    b = bytes_of(p.b, len);
    x = bytes_of(p.x, len);
    y = bytes_of(p.y, len);
}

unsigned CurveNumbers::degree() const
{
    unsigned top = 7;
    if (poly.empty() || poly[0] == 0) return 0;
    while (!(poly[0] >> top & 1)) top--;
    return static_cast<unsigned>(8 * (poly.size() - 1)) + top;
}

std::string CurveNumbers::polynomial() const
{
    std::string text;
    unsigned terms = 0;
    for (unsigned i = degree() + 1; i-- > 0;) {
        if (!(poly[poly.size() - 1 - i / 8] >> i % 8 & 1)) continue;
        if (++terms > 7) return to_hex(poly.data(), poly.size());
        text += (text.empty() ? "" : " + ") + (i == 0   ? "1"
                                               : i == 1 ? "t"
                                                        : "t^" + std::to_string(i));
    }
    return text;
}

ty_ec_params CurveNumbers::params() const
{
    ty_ec_params p{};
    if (poly.size() > sizeof p.poly)
        throw Failure(EXIT_INPUT,
                      name + ": the polynomial has more than " + std::to_string(8 * sizeof p.poly) +
                          " bits",
                      "1023 is the highest degree");
    p.name = name.c_str();
    p.oid = oid.c_str();
    std::copy(poly.begin(), poly.end(), p.poly);
    p.poly_len = poly.size();
    p.n_len = n.size();
    p.a = a.data();
    p.b = b.data();
    p.x = x.data();
    p.y = y.data();
    p.n = n.data();
    p.h = h;
    return p;
}

/* --- files: one JSON object ------------------------------------------------------------------- */

static const char *const curve_file_help =
    "see tongyu curve explain --help for the contents of a curve file";

/* The hexadecimal digits of a member as a big-endian number of len bytes; 0: as many as it
 * needs. */
static std::vector<uint8_t> number_of(const Json &j, const char *member, size_t len,
                                      const std::string &file)
{
    if (!j.contains(member) || !j[member].is_string())
        throw Failure(EXIT_INPUT,
                      file + ": a curve needs \"" + member + "\" as a string of hexadecimal digits",
                      curve_file_help);
    std::string digits = j[member].get<std::string>();
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.size() % 2) digits.insert(0, "0");
    const Secret s = from_hex(digits, std::string("\"") + member + "\"");
    if (len && s.size() > len)
        throw Failure(EXIT_INPUT, file + ": \"" + member + "\" is longer than the field",
                      curve_file_help);
    std::vector<uint8_t> out(len ? len - s.size() : 0);
    out.insert(out.end(), s.data(), s.data() + s.size());
    return out;
}

/* "polynomial": hexadecimal digits, or a list of exponents */
static std::vector<uint8_t> polynomial_of(const Json &j, const std::string &file)
{
    if (!j.contains("polynomial") || !j["polynomial"].is_array())
        return number_of(j, "polynomial", 0, file);
    std::vector<uint8_t> bits(TY_EC_MAX);
    for (const auto &e : j["polynomial"]) {
        if (!e.is_number_unsigned() || e.get<uint64_t>() >= 8 * bits.size())
            throw Failure(EXIT_INPUT,
                          file + ": an exponent of \"polynomial\" is not a number from 0 to 1023",
                          curve_file_help);
        bits[bits.size() - 1 - e.get<size_t>() / 8] ^=
            static_cast<uint8_t>(1 << e.get<size_t>() % 8);
    }
    bits.erase(bits.begin(),
               std::find_if(bits.begin(), bits.end(), [](uint8_t v) { return v != 0; }));
    return bits;
}

CurveNumbers::CurveNumbers(const std::string &file)
{
    const Secret text = Input(file).read_all(16384, "a curve");
    const Json j = Json::parse(text.chars(), text.chars() + text.size(), nullptr, false);
    if (!j.is_object()) throw Failure(EXIT_INPUT, file + ": not a JSON object", curve_file_help);
    name = j.contains("name") && j["name"].is_string() ? j["name"].get<std::string>() : file;
    poly = polynomial_of(j, file);
    const size_t len = (degree() + 7) / 8;
    if (len == 0)
        throw Failure(EXIT_INPUT, file + ": the degree of \"polynomial\" is 0", curve_file_help);
    a = number_of(j, "a", len, file);
    b = number_of(j, "b", len, file);
    x = number_of(j, "x", len, file);
    y = number_of(j, "y", len, file);
    n = number_of(j, "order", 0, file);
    if (j.contains("cofactor")) {
        if (!j["cofactor"].is_number_unsigned() || j["cofactor"].get<uint64_t>() > UINT32_MAX)
            throw Failure(EXIT_INPUT, file + ": \"cofactor\" is not a number below 2^32",
                          curve_file_help);
        h = j["cofactor"].get<uint32_t>();
    }
}

/* --- names ------------------------------------------------------------------------------------ */

std::vector<CurveNumbers> known_curves()
{
    std::vector<CurveNumbers> all;
    ty_ec_params p;
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        ty_ec_params_get(&p, c);
        all.emplace_back(p);
        all.back().own = c;
    }
    for (size_t i = 0; ty_ec_standard_at(&p, i); i++) all.emplace_back(p);
    return all;
}

CurveNumbers find_curve(const std::string &name)
{
    std::vector<std::string> names;
    for (const CurveNumbers &c : known_curves()) {
        if (c.name == name || c.oid == name) return c;
        names.push_back(c.name);
    }
    if (name.find('.') != std::string::npos || name.find('/') != std::string::npos)
        return CurveNumbers(name);
    const std::string near = did_you_mean(name, names);
    throw Failure(EXIT_USAGE, "unknown curve '" + name + "'",
                  near.empty() ? "tongyu curve list shows the names; the name of a curve file has "
                                 "a dot or a slash in it"
                               : near);
}

std::unique_ptr<ty_ec_any> make_curve(const CurveNumbers &c, ty_ec_way way, unsigned reg)
{
    auto any = std::make_unique<ty_ec_any>();
    const ty_ec_params p = c.params();
    const char *why = "";
    if (reg && c.degree() > 255)
        throw Failure(EXIT_USAGE, c.name + ": the field has more than 255 bits", "omit --register");
    if (ty_ec_any_init(any.get(), &p, way, reg, &why) != TY_OK)
        throw Failure(EXIT_INPUT, c.name + ": " + why,
                      "check the parameters of the curve");
    return any;
}
