/* The verbs tiers and version */
#include "context.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

std::vector<ty_tier_row> tier_rows()
{
    std::vector<ty_tier_row> rows(ty_tier_list(nullptr, 0));
    rows.resize(std::min(rows.size(), ty_tier_list(rows.data(), rows.size())));
    return rows;
}

const std::vector<std::string> &tier_levels()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (size_t i = 0; ty_tier_level(i); i++) all.push_back(ty_tier_level(i));
        return all;
    }();
    return names;
}

/* The levels that some family has and this CPU runs, weakest first, one per line, as a shell's loop
 * reads them. */
static int tier_names(Context &ctx)
{
    const auto rows = tier_rows();
    std::vector<std::string> names;
    for (const auto &level : tier_levels())
        if (std::any_of(rows.begin(), rows.end(),
                        [&](const ty_tier_row &r) { return r.runs && level == r.tier; }))
            names.push_back(level);
    ctx.result["names"] = names;
    if (!ctx.json)
        for (const auto &name : names) std::puts(name.c_str());
    return EXIT_GOOD;
}

static int tiers(Context &ctx)
{
    const auto rows = tier_rows();
    Json list = Json::array();
    for (const auto &r : rows)
        list.push_back({ { "family", r.family },
                         { "tier", r.tier },
                         { "runs", r.runs != 0 },
                         { "chosen", r.chosen != 0 } });
    ctx.result["tiers"] = list;
    if (ctx.json) return EXIT_GOOD;
    std::printf("%-10s %-8s %-5s %s\n", "family", "tier", "runs", "chosen");
    const char *last = "";
    for (const auto &r : rows) {
        const char *family = std::strcmp(last, r.family) ? r.family : "";
        std::printf("%-10s %-8s %-5s %s\n", family, r.tier, r.runs ? "yes" : "no",
                    r.chosen ? "<-" : "");
        last = r.family;
    }
    return EXIT_GOOD;
}

static int version(Context &ctx)
{
    ctx.result["version"] = TY_VERSION_STRING;
    ctx.result["library"] = ty_version();
    ctx.result["compiler"] = __VERSION__;
    if (!ctx.json) std::printf("tongyu %s (library %s)\n", TY_VERSION_STRING, ty_version());
    return EXIT_GOOD;
}

void add_about(CLI::App &root, Context &ctx)
{
    const auto names = std::make_shared<bool>(false);
    CLI::App *app =
        add_verb(&root, ctx, "tiers", "List the implementations built in, and which this CPU uses",
                 [names, &ctx] { return *names ? tier_names(ctx) : tiers(ctx); });
    app->add_flag("--names", *names, "Only the names of those that run, one per line, for --tier");
    app->footer("Examples:\n  tongyu tiers\n"
                "  for t in $(tongyu tiers --names); do tongyu hash --tier $t letter.txt; done");
    add_verb(&root, ctx, "version", "Print the version of the command and of the library",
             [&ctx] { return version(ctx); });
}
