/* Sixteen rounds of SHA-256 in vectors of four words, for kernels whose GROUP(j, x0, x1, x2, x3)
 * does rounds j .. j + 3 on x0 = W_j .. W_{j+3}, and then sets x0 = W_{j+16} .. W_{j+19}, computed
 * from all four. */
#ifndef TY_SHA2_SHA256_GROUPS_H
#define TY_SHA2_SHA256_GROUPS_H

#define TY_SHA256_SIXTEEN(j) do {                                                           \
        GROUP((j), w0, w1, w2, w3);                                                         \
        GROUP((j) + 4, w1, w2, w3, w0);                                                     \
        GROUP((j) + 8, w2, w3, w0, w1);                                                     \
        GROUP((j) + 12, w3, w0, w1, w2);                                                    \
    } while (0)

#endif
