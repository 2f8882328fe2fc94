/* Constant time of the implementations of SM2's field, except long division, which is declared as
 * variable time. */
#include "base/ct.h"
#include "sm2_field/sm2_field.h"

#include <stdio.h>

int main(void)
{
    int checked = 0;
    const ty_sm2_field_way *way;
    for (size_t i = 0; (way = ty_sm2_field_way_at(i)) != NULL; i++) {
        if (way->variable_time) continue;
        uint32_t v[16], x[8], y[8], z[8];
        for (uint32_t k = 0; k < 16; k++) v[k] = (k + 1) * 2654435761u;
        v[15] = 0x7fffffff;
        for (int k = 0; k < 8; k++) x[k] = v[k], y[k] = v[7 - k];
        x[7] = y[7] = 0x12345678;
        TY_SECRET(v, sizeof v);
        TY_SECRET(x, sizeof x);
        TY_SECRET(y, sizeof y);
        if (ty_sm2_field_reduce(z, v, way) != TY_OK) return 1;
        way->reduce_chain(x, y, 3);
        way->reduce_many(x, y, 3);
        way->mul_chain(x, y, 3);
        way->mul_many(x, y, 3);
        if (way->inv_chain) way->inv_chain(x, 2);
        checked++;
    }
    printf("ct_p_sm2_ways: %d implementations\n", checked);
    return checked >= 4 ? 0 : 1;
}
