/* ty_tier_list: the families and tiers of this build. */
#include "about/families.h"
#include "tongyu/base.h"

static const struct {
    const char *name;
    const ty_tier *tiers;
} families[] = {
#define ROW(name, family) { #name, ty_##family##_tiers },
    TY_FAMILIES(ROW)
#undef ROW
};

size_t ty_tier_list(ty_tier_row *rows, size_t rows_len)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const void *best = ty_tier_best(families[i].tiers);
        for (const ty_tier *t = families[i].tiers; t->name; t++) {
            if (!t->ops) continue;   /* not in this build */
            if (n < rows_len)
                rows[n] =
                    (ty_tier_row){ families[i].name, t->name, ty_tier_runs(t), t->ops == best };
            n++;
        }
    }
    return n;
}
