/* Tables for vectors of four or eight coefficients: the positions of packed fields, and the
 * shuffles that move selected lanes together. */
#ifndef TY_MLDSA_FORMS_H
#define TY_MLDSA_FORMS_H

#include <stdint.h>

/* The positions of eight fields of a width. The upper half of them begins in byte floor(width/2),
 * and if the width is odd, in the middle of that byte, where the lower half ends. */
typedef struct form {
    uint8_t gather[32];   /* unpacking: for each field its four bytes */
    uint32_t down[8];     /* and its shift to the right */
    uint64_t up[4];       /* packing: the shift of a pair to the left */
    uint8_t odd[32];      /* and where the second pair of each half goes */
    uint8_t seam[16];     /* from the lower half to the upper: the byte they share */
} form;

/* b: the width; r: the bit at which a half begins in its first byte. AT: the byte of the half in
 * which its field f begins. FROM: byte j of a shuffle that moves the upper eight bytes to p. */
#define REST(b)       ((b) % 2 * 4)
#define AT(b, r, f)   (((f) * (b) + (r)) / 8)
#define BYTES4(x)     (x), (x) + 1, (x) + 2, (x) + 3
#define GATHER(b, r)                                                                               \
    BYTES4(AT(b, r, 0)), BYTES4(AT(b, r, 1)), BYTES4(AT(b, r, 2)), BYTES4(AT(b, r, 3))
#define DOWN(b, r)    (r) % 8, ((b) + (r)) % 8, (2 * (b) + (r)) % 8, (3 * (b) + (r)) % 8
#define FROM(p, j)    ((j) >= (p) && (j) < (p) + 8 ? (j) - (p) + 8 : 0x80)
#define ODD(p)                                                                                     \
    FROM(p, 0), FROM(p, 1), FROM(p, 2), FROM(p, 3), FROM(p, 4), FROM(p, 5), FROM(p, 6),            \
        FROM(p, 7), FROM(p, 8), FROM(p, 9), FROM(p, 10), FROM(p, 11), FROM(p, 12), FROM(p, 13),    \
        FROM(p, 14), FROM(p, 15)
#define NONE3         0x80, 0x80, 0x80
#define FORM(b)                                                                                    \
    [b] = { { GATHER(b, 0), GATHER(b, REST(b)) },                                                  \
            { DOWN(b, 0), DOWN(b, REST(b)) },                                                      \
            { 0, 2 * (b) % 8, REST(b), (2 * (b) + REST(b)) % 8 },                                  \
            { ODD(2 * (b) / 8), ODD((2 * (b) + REST(b)) / 8) },                                    \
            { (b) % 2 ? (b) / 2 : 0x80, NONE3, NONE3, NONE3, NONE3, NONE3 } }

static const form forms[21] = { FORM(3), FORM(4), FORM(6), FORM(10), FORM(13), FORM(18), FORM(20) };

/* row m: the shuffle that moves the lanes whose bits in m are set to the front */
#define L0 0, 1, 2, 3
#define L1 4, 5, 6, 7
#define L2 8, 9, 10, 11
#define L3 12, 13, 14, 15
static const uint8_t together[16][16] = {
    { L0 },     { L0 },         { L1 },         { L0, L1 },         { L2 },     { L0, L2 },
    { L1, L2 }, { L0, L1, L2 }, { L3 },         { L0, L3 },         { L1, L3 }, { L0, L1, L3 },
    { L2, L3 }, { L0, L2, L3 }, { L1, L2, L3 }, { L0, L1, L2, L3 },
};

#endif
