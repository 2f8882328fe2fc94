/* The layout of keys for multi_buffer.h. */
#include "many/multi_buffer.h"

void ty_many_lay(ty_many *m)
{
    enum { FEW = 4 };
    const size_t n = m->active;
    const uint32_t at_work = (uint32_t)(((uint64_t)1 << n) - 1), lay = m->stale & at_work;
    m->stale &= ~at_work;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += lay >> i & 1;
    if (count > FEW) {
        const uint8_t *rows[TY_MANY];
        for (size_t i = 0; i < TY_MANY; i++)
            rows[i] = (const uint8_t *)m->key[i < n ? i : 0]->enc;
        TY_HELD(sm4, m->ops)->lane_keys(&m->l, rows, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (lay >> i & 1) TY_HELD(sm4, m->ops)->lane_key(&m->l, i, m->key[i]->enc);
}
