/* Runs one operation of the field, for tools/field_counts.py to count its instructions:
 *     count_p_sm2 WAY reduce|mul ROUNDS
 * With fewer arguments it prints the names of the implementations that this CPU supports. */
#include "sm2_field/sm2_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    uint32_t x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const uint32_t y[8] = { 0x89abcdef, 7, 6, 5, 4, 3, 2, 0x12345678 };
    const ty_sm2_field_way *way;
    for (size_t i = 0; (way = ty_sm2_field_way_at(i)) != NULL; i++) {
        if (argc < 4) puts(way->name);
        else if (strcmp(way->name, argv[1]) == 0) {
            const size_t rounds = (size_t)strtoul(argv[3], NULL, 10);
            if (strcmp(argv[2], "mul") == 0) way->mul_chain(x, y, rounds);
            else way->reduce_chain(x, y, rounds);
            return 0;
        }
    }
    return argc < 4 ? 0 : 1;
}
