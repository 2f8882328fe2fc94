/* The verbs calc and prime: integers of any size */
#include "calc.hpp"
#include "context.hpp"
#include "io.hpp"
#include "system.hpp"

#include <cstdio>
#include <memory>

struct Calc {
    std::vector<std::string> words;
    uint32_t base = 10;

    /* The same failure with its position: the line of input, unless empty, and the column */
    static Failure placed(const CalcError &e, const std::string &line)
    {
        return Failure(e.status,
                       (line.empty() ? "" : "line " + line + ", ") + "column " +
                           std::to_string(e.at + 1) + ": " + e.what(),
                       e.next);
    }

    void show(Context &ctx, Json &rows, const std::string &expression, const Big &x) const
    {
        const std::string text = x.text(static_cast<int>(base));
        rows.push_back({{"expression", expression}, {"value", text}});
        if (!ctx.json) std::printf("%s\n", text.c_str());
    }

    /* A description of the language, for help */
    static std::string language()
    {
        return "+ - * / % ^ and parentheses; / rounds towards zero. Numbers: 10, 0xff, 0o17, "
               "0b101, 36#ZZ.\n"
               "x = ... names a result, _ is the last one. A line that begins with # is a comment, "
               "quit ends.\n"
               "Functions:" +
               calc_functions();
    }

    /* One expression per line; lines that begin with # are comments. On a terminal an error is
     * reported and the next line is read; in a script it ends the run. */
    void lines(Context &ctx, Json &rows) const
    {
        Calculator calculator;
        const bool terminal = isatty(STDIN_FILENO) && !ctx.json;
        if (terminal && !ctx.quiet)
            std::fputs("One expression per line; help describes the language, quit ends.\n",
                       stderr);
        std::string line;
        for (size_t number = 1;; number++) {
            if (terminal) std::fputs("> ", stderr);
            int c;
            line.clear();
            while ((c = std::getchar()) != EOF && c != '\n') line += static_cast<char>(c);
            if (c == EOF && line.empty()) break;
            const size_t first = line.find_first_not_of(" \t\r");
            if (first == std::string::npos || line[first] == '#') continue;
            const std::string word = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
            if (word == "quit" || word == "exit") return;
            if (terminal && word == "help") {
                std::fprintf(stderr, "%s\n", language().c_str());
                continue;
            }
            try {
                show(ctx, rows, line, calculator.evaluate(line));
                std::fflush(stdout);
            } catch (const CalcError &e) {
                if (!terminal) throw placed(e, std::to_string(number));
                std::fprintf(stderr, "tongyu: %s\n", placed(e, "").line().c_str());
            } catch (const Failure &e) {
                if (!terminal) throw;
                std::fprintf(stderr, "tongyu: %s\n", e.line().c_str());
            }
        }
        if (std::ferror(stdin))
            throw Failure(EXIT_INPUT, "stdin cannot be read", "check where it comes from");
    }

    int run(Context &ctx)
    {
        Json rows = Json::array();
        if (words.empty()) {
            lines(ctx, rows);
        } else {
            const std::string text = CLI::detail::join(words, " ");
            try {
                show(ctx, rows, text, Calculator().evaluate(text));
            } catch (const CalcError &e) {
                throw placed(e, "");
            }
        }
        ctx.result["base"] = base;
        ctx.result["results"] = rows;
        return EXIT_GOOD;
    }
};

struct Prime {
    uint32_t bits = 0, base = 10;
    bool safe = false;

    int run(Context &ctx) const
    {
        Big p;
        if (safe && bits < 3)
            throw Failure(EXIT_USAGE, "a safe prime has at least 3 bits",
                          "give 3 or more; 7 = 2 * 3 + 1 has 3");
        /* too small for the search */
        if (safe && bits < 5) ty_mp_set_u64(p, bits == 3 ? 7 : 11);
        else
            check(ty_mp_prime(p, bits, safe ? unsigned(TY_MP_PRIME_SAFE) : 0u, ty_rng_system()),
                  "the search for a prime");
        const std::string text = p.text(static_cast<int>(base));
        ctx.result["prime"] = text;
        ctx.result["bits"] = bits;
        ctx.result["base"] = base;
        ctx.result["safe"] = safe;
        if (!ctx.json) std::printf("%s\n", text.c_str());
        return EXIT_GOOD;
    }
};

void add_calc(CLI::App &root, Context &ctx)
{
    const auto calc = std::make_shared<Calc>();
    CLI::App *app = add_verb(&root, ctx, "calc", "Calculate with integers of any size",
                             [calc, &ctx] { return calc->run(ctx); });
    app->add_option("expression", calc->words, "What to compute (default: each line of stdin)")
        ->type_name("EXPRESSION");
    add_number(app, "--base", calc->base, 2, 64, "Base of the results")->capture_default_str();
    app->footer(
        Calc::language() +
        "\n\nExamples:\n  tongyu calc '2^127 - 1'\n  tongyu calc --base 16 'powmod(3, 0x10001, "
        "2^61 - 1)'\n"
        "  echo 'nextprime(10^100)' | tongyu calc\n  tongyu calc 'bytes(\"letter.txt\") % 97'");

    const auto prime = std::make_shared<Prime>();
    app = add_verb(&root, ctx, "prime", "Find a random prime",
                   [prime, &ctx] { return prime->run(ctx); });
    add_number(app, "bits", prime->bits, 2, 20000, "Bits of the prime")->required();
    app->add_flag("--safe", prime->safe, "(p - 1)/2 is prime as well");
    add_number(app, "--base", prime->base, 2, 64, "Base of the result")->capture_default_str();
    app->footer("Examples:\n  tongyu prime 2048\n  tongyu prime 256 --safe --base 16");
}
