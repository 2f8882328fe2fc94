/* All allocations of src/mp. */
#include "mp/mp_internal.h"

#include <stdlib.h>

static void *take(const ty_alloc *a, size_t bytes)
{
    return a ? a->take(a->ctx, bytes) : malloc(bytes);
}

static void give(const ty_alloc *a, void *p, size_t bytes)
{
    ty_wipe(p, bytes);
    if (a) a->give(a->ctx, p, bytes);
    else free(p);
}

/* Moves x to new memory of n limbs, n >= x->len, or into the object if they fit. */
static ty_err settle(ty_mp *x, size_t n)
{
    ty_limb *to = x->small;
    if (n > TY_MP_SMALL) to = take(x->alloc, n * sizeof *to);
    if (!to) return TY_ERR_MEM;
    const ty_limb *from = ty_mp_cd(x);
    for (size_t i = 0; i < x->len; i++) to[i] = from[i];
    if (x->heap) give(x->alloc, x->heap, x->room * sizeof *to);
    else ty_wipe(x->small, sizeof x->small);
    x->heap = n > TY_MP_SMALL ? to : NULL;
    x->room = x->heap ? n : 0;
    return TY_OK;
}

/* The longest value is limited so that its bit count fits a size_t, and no sum of a few lengths can
 * overflow. Memory grows at least by half, so that it is not moved at each step of a number that
 * becomes longer step by step. */
ty_err ty_mp_grow(ty_mp *z, size_t n)
{
    const size_t most = (size_t)-1 / 16 / TY_LIMB_BITS;
    const size_t room = z->heap ? z->room : TY_MP_SMALL;
    if (n <= room) return TY_OK;
    if (n > most) return TY_ERR_SIZE;
    return settle(z, n < room + room / 2 ? room + room / 2 : n);
}

ty_err ty_mp_reserve(ty_mp *x, size_t bits) { return ty_mp_grow(x, TY_MP_LIMBS(bits)); }

void ty_mp_shrink(ty_mp *x)
{
    x->len = ty_mp_n(x);
    if (x->heap && x->len < x->room) (void)settle(x, x->len);
}

void ty_mp_clear(ty_mp *x)
{
    if (x->heap) give(x->alloc, x->heap, x->room * sizeof *x->heap);
    ty_mp_init_with(x, x->alloc);
}

ty_limb *ty_mp_take(ty_limb *own, size_t own_n, size_t n, const ty_alloc *alloc)
{
    if (n <= own_n) return own;
    if (n > (size_t)-1 / sizeof *own) return NULL;
    return take(alloc, n * sizeof *own);
}

void ty_mp_give(ty_limb *p, ty_limb *own, size_t n, const ty_alloc *alloc)
{
    if (p == own) ty_wipe(p, n * sizeof *p);
    else if (p) give(alloc, p, n * sizeof *p);
}
