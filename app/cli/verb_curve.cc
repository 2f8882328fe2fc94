/* curve: lists binary curves, explains how the library computes on a curve that is named or in a
 * file, and multiplies points. */
#include "curves.hpp"
#include "engine.hpp"
#include "io.hpp"

#include <cstdio>

static const char *const way_names[] = {"auto", "full", "partial", "barrett", "montgomery"};

static std::vector<std::string> all_ways() { return {std::begin(way_names), std::end(way_names)}; }

static ty_ec_way way_of(const std::string &name)
{
    int i = 0;
    while (name != way_names[i]) i++;
    return static_cast<ty_ec_way>(i);
}

/* The facts of the field of c. reg: bits of a register, 256, or 0 for whole words. */
static ty_ec_any_facts facts_of(const CurveNumbers &c, ty_ec_way way, unsigned reg)
{
    ty_ec_any_facts f;
    if (ty_ec_any_explain(&f, c.poly.data(), c.poly.size(), way, reg) != TY_OK)
        throw Failure(EXIT_INPUT,
                      c.name + ": " + c.polynomial() + " defines no field of degree 2 to 1023",
                      "the polynomial has to be irreducible");
    return f;
}

static int list_curves(Context &ctx)
{
    Json rows = Json::array();
    if (!ctx.json)
        std::printf("%-14s %-30s %5s %-30s %8s  %s\n", "name", "OID", "order", "polynomial",
                    "cofactor", "code");
    for (const CurveNumbers &c : known_curves()) {
        size_t bits = 8 * c.n.size();
        for (unsigned top = 0x80; !(c.n[0] & top); top >>= 1) bits--;
        rows.push_back({ { "name", c.name },
                         { "oid", c.oid },
                         { "polynomial", c.polynomial() },
                         { "order_bits", bits },
                         { "cofactor", c.h },
                         { "own_code", c.own != nullptr } });
        if (!ctx.json)
            std::printf("%-14s %-30s %5zu %-30s %8u  %s\n", c.name.c_str(), c.oid.c_str(), bits,
                        c.polynomial().c_str(), c.h, c.own ? "dedicated" : "generic");
    }
    ctx.result["curves"] = rows;
    return EXIT_GOOD;
}

/* Table 2 of Gura, Eberle and Chang Shantz (2002), computed: i = ceil((n-1)/(m-k)). */
static int rounds_table(Context &ctx)
{
    Json rows = Json::array();
    if (!ctx.json)
        std::printf("Rounds of partial reduction, i = ceil((n-1)/(m-k)), in registers of n "
                    "bits\n\n%-10s %4s %4s  %6s %8s %12s\n",
                    "curve", "m", "k", "n = m", "n = 256", "whole words");
    for (const CurveNumbers &c : known_curves()) {
        if (!c.own) continue;
        const ty_ec_any_facts f = facts_of(c, TY_EC_AUTO, 0);
        Json row = {{"curve", c.name}, {"m", f.m}, {"k", f.k}, {"least", f.least_rounds}};
        std::string at_256 = "-";
        if (f.m < 256) {
            const unsigned i = facts_of(c, TY_EC_AUTO, 256).rounds;
            row["at_256"] = i;
            at_256 = std::to_string(i);
        }
        row["words"] = f.rounds;
        row["word_bits"] = f.n;
        rows.push_back(row);
        if (!ctx.json)
            std::printf("%-10s %4u %4u  %6u %8s %6u (%u)\n", c.name.c_str(), f.m, f.k,
                        f.least_rounds, at_256.c_str(), f.rounds, f.n);
    }
    ctx.result["rounds"] = rows;
    ctx.result["note"] =
        "Gura, Eberle and Chang Shantz say that at n = 256 only the two smallest need three rounds "
        "and all others two: that is true with t^239 + t^36 + 1, but sect239k1 is over t^239 + "
        "t^158 + 1, and needs four";
    if (!ctx.json)
        std::printf("\nGura, Eberle and Chang Shantz say that at n = 256 only the two smallest "
                    "need three rounds, and all\nothers two. That is true with t^239 + t^36 + 1, "
                    "but sect239k1 is over t^239 + t^158 + 1, and needs four.\n");
    return EXIT_GOOD;
}

struct OneCurve {
    std::string name, way = "auto", scalar, point;
    uint32_t reg = 0;
    Engine engine;

    void add_options(CLI::App *app)
    {
        add_text(app, "curve", name, "CURVE",
                 "A name in tongyu curve list, an OID, or a curve file")
            ->required();
        add_choice(app, "--way", way, all_ways(),
                   "How a product is reduced; auto is the method that costs least on this machine")
            ->capture_default_str();
        add_number(app, "--register", reg, 0, 256,
                   "Bits of a register: 256, or 0 for the whole words that the field needs")
            ->capture_default_str();
    }

    void fit() const
    {
        if (reg != 0 && reg != 256)
            throw Failure(EXIT_USAGE, "--register cannot be '" + std::to_string(reg) + "'",
                          "give 0 or 256");
    }

    int explain(Context &ctx) const
    {
        static const char *const what[] = {
            "", "c = ch t^m + cl, c <- ch (M - t^m) + cl until ch = 0",
            "c = ch t^n + cl, c <- ch M' + cl for M' = (M - t^m) t^(n-m), i times",
            "c - q M, with the quotient q by a product with 1/M",
            "the lowest words are cleared one by one, with 1/M mod t^64"
        };
        fit();
        const CurveNumbers c = find_curve(name);
        if (reg && c.degree() > 255)
            throw Failure(EXIT_USAGE, c.name + ": the field has more than 255 bits",
                          "omit --register");
        (void)make_curve(c, TY_EC_AUTO, 0);   /* for its checks of the curve */
        const ty_ec_any_facts f = facts_of(c, way_of(way), reg);
        Json &r = ctx.result;
        r["curve"] = c.name;
        r["polynomial"] = c.polynomial();
        r["m"] = f.m;
        r["k"] = f.k;
        r["n"] = f.n;
        r["rounds"] = f.rounds;
        r["way"] = way_names[f.way];
        Json costs = Json::object();
        for (int i = TY_EC_FULL; i <= TY_EC_MONTGOMERY; i++)
            costs[way_names[i]] = {{"products", f.products[i]}, {"shifts", f.shifts[i]}};
        r["cost"] = costs;
        if (ctx.json) return EXIT_GOOD;
        std::printf("%s: M = %s\nm = %u, k = %u, n = %u: partial reduction takes i = ceil(%u/%u) = "
                    "%u rounds\n\n%-11s %8s %7s\n",
                    c.name.c_str(), c.polynomial().c_str(), f.m, f.k, f.n, f.n - 1, f.m - f.k,
                    f.rounds, "reduction", "products", "shifts");
        for (int i = TY_EC_FULL; i <= TY_EC_MONTGOMERY; i++)
            std::printf("%-11s %8u %7u  %s %s\n", way_names[i], f.products[i], f.shifts[i],
                        f.way == i ? "<-" : "  ", what[i]);
        std::printf(
            "\nproducts: of two words; shifts: of a word to the place of one term of M.\n");
        return EXIT_GOOD;
    }

    int mul(Context &ctx)
    {
        fit();
        const CurveNumbers c = find_curve(name);
        const auto any = make_curve(c, way_of(way), reg);
        const ty_ec_curve *curve = ty_ec_any_curve(any.get());
        const size_t len = ty_ec_field_len(curve), n_len = ty_ec_order_len(curve);
        std::vector<uint8_t> p(1 + 2 * len, 4), k(n_len);
        std::copy(c.x.begin(), c.x.end(), p.begin() + 1);
        std::copy(c.y.begin(), c.y.end(), p.begin() + 1 + static_cast<long>(len));
        if (!point.empty()) {
            const Secret s = from_hex(point, "--point");
            p.assign(s.data(), s.data() + s.size());
        }
        const Secret s = from_hex(scalar.size() % 2 ? "0" + scalar : scalar, "the scalar");
        if (s.size() > n_len)
            throw Failure(EXIT_USAGE, "the scalar is longer than the order of the curve",
                          "reduce it");
        std::copy(s.data(), s.data() + s.size(), k.end() - static_cast<long>(s.size()));
        ty_ec_pub q;
        if (ty_ec_pub_set(&q, curve, p.data(), p.size()) != TY_OK)
            throw Failure(EXIT_INPUT, "--point is not a point of the curve's prime order",
                          "04 || x || y, or 02|03 || x, in digits");
        ty_accel *const dev = engine.simulated() ? engine.device(curve) : nullptr;
        const ty_err err = dev ? ty_accel_mul(dev, &q, k.data(), &q) : ty_ec_mul(&q, k.data(), &q);
        if (err != TY_OK && err != TY_ERR_KEY) check(err, "multiplying on the accelerator");
        if (err != TY_OK)
            throw Failure(EXIT_INPUT,
                          "the product is the point at infinity, which has no coordinates",
                          "give a scalar that is not a multiple of the order");
        p.resize(1 + 2 * len);
        ty_ec_pub_get(p.data(), &q);
        ctx.result["point"] = to_hex(p.data(), p.size());
        engine.report(ctx.result);
        if (!ctx.json) std::printf("%s\n", to_hex(p.data(), p.size()).c_str());
        return EXIT_GOOD;
    }
};

void add_curve(CLI::App &root, Context &ctx)
{
    CLI::App *top =
        root.add_subcommand("curve",
                            "List binary curves, and explain how the library computes on them")
            ->group("Verbs");
    add_common(top, ctx);
    top->require_subcommand(1);
    top->footer("Examples:\n  tongyu curve list\n  tongyu curve explain sect239k1");

    add_verb(top, ctx, "list", "List the curves known by name", [&ctx] {
        return list_curves(ctx);
    })->footer("Examples:\n  tongyu curve list");
    add_verb(top, ctx, "table", "List the rounds of partial reduction for SEC 2's curves", [&ctx] {
        return rounds_table(ctx);
    })->footer("Examples:\n  tongyu curve table");

    const auto one = std::make_shared<OneCurve>();
    CLI::App *app =
        add_verb(top, ctx, "explain",
                 "Explain the field of a curve, and what each method of reduction costs in it",
                 [one, &ctx] { return one->explain(ctx); });
    one->add_options(app);
    app->footer("A curve file is a JSON object with \"polynomial\" (hexadecimal digits, or its "
                "exponents in a list), \"a\", \"b\",\n"
                "\"x\", \"y\" (the generator) and \"order\" as hexadecimal digits, and "
                "optionally \"cofactor\" and \"name\".\n"
                "Examples:\n  tongyu curve explain sect233r1\n  tongyu curve explain --register "
                "256 sect239k1");

    const auto two = std::make_shared<OneCurve>();
    app =
        add_verb(top, ctx, "mul",
                 "Multiply a point, for checks; the scalar is visible to everybody on this machine",
                 [two, &ctx] { return two->mul(ctx); });
    two->add_options(app);
    add_text(app, "scalar", two->scalar, "HEX", "The scalar, in hexadecimal digits")->required();
    add_text(app, "--point", two->point, "HEX", "The point (default: the generator)");
    two->engine.add_option(app);
    app->footer("Examples:\n  tongyu curve mul --way partial sect163r2 2");
}
