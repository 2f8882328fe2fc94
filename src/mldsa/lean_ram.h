/* How much of the stack signing may use where memory is short: TY_MLDSA_RAM bytes, one number for
 * the build.
 *
 * Every set has a minimum, which is also what it uses if the number is not given: the frames and
 * the working set, about 2 KB, and k packed polynomials. Memory beyond that keeps the challenge,
 * transformed, which halves the cost of products with it; then polynomials of A; after all of them,
 * w, unpacked (in ML-DSA-87 before them); and last masks, as the bytes from which they are decoded.
 * A polynomial of A saves more than a mask for its size: every attempt but the first needs it, and
 * a mask is needed again only in one attempt of two or three. If everything fits unpacked, nothing
 * is packed. TY_MLDSA_LARGEST, 44, 65 or 87, is the largest set that signs in this way. The minima
 * are those of a Cortex-M4, for which tests/fw/limits.json and tools/fw_check.py check them on the
 * image; on other machines frames are larger, and the number only limits what is kept. */
#ifndef TY_MLDSA_LEAN_RAM_H
#define TY_MLDSA_LEAN_RAM_H

#define TY_LEAN_LEAST_44 5248
#define TY_LEAN_LEAST_65 6720
#define TY_LEAN_LEAST_87 8192

#if !defined(TY_MLDSA_LARGEST)
#  define TY_MLDSA_LARGEST 87
#endif
#if TY_MLDSA_LARGEST == 44
#  define TY_LEAN_SETS(X) X(44, 4, 4)
#  define TY_LEAN_LEAST   TY_LEAN_LEAST_44
#elif TY_MLDSA_LARGEST == 65
#  define TY_LEAN_SETS(X) X(44, 4, 4) X(65, 6, 5)
#  define TY_LEAN_LEAST   TY_LEAN_LEAST_65
#elif TY_MLDSA_LARGEST == 87
#  define TY_LEAN_SETS(X) X(44, 4, 4) X(65, 6, 5) X(87, 8, 7)
#  define TY_LEAN_LEAST   TY_LEAN_LEAST_87
#else
#  error "TY_MLDSA_LARGEST is 44, 65 or 87, the largest set of ML-DSA that signs in little memory"
#endif

#if defined(TY_MLDSA_RAM)
#  if TY_MLDSA_RAM < TY_LEAN_LEAST
/* raise it, or lower TY_MLDSA_LARGEST */
#    error "TY_MLDSA_RAM is at least 5248 for ML-DSA-44, 6720 for ML-DSA-65, 8192 for ML-DSA-87"
#  endif
#  define TY_LEAN_LEFT(set) ((int)(TY_MLDSA_RAM) - TY_LEAN_LEAST_##set)
#else
#  define TY_LEAN_LEFT(set) 0
#endif
#define TY_LEAN_FIT(room, size, most) ((room) / (size) < (most) ? (room) / (size) : (most))
#define TY_LEAN_MASK(set)        ((set) == 44 ? 576 : 640)
/* whether there is room for all of A, l masks and w, unpacked, and the masks' bytes */
#define TY_LEAN_ALL(set, k, l)                                                                     \
    (TY_LEAN_LEFT(set) + TY_LEAN_PACKED * (k) >=                                                   \
     1024 * ((k) * (l) + (l) + (k)) + TY_LEAN_MASK(set) * (l))
/* Else room goes first to the challenge; then to polynomials of A, at most k l; to w, unpacked,
 * which is before them for l = 7; and to the bytes of masks, at most l. CHALLENGE and ROWS (of w)
 * are 0 or 1, KEEPS and MASKS are numbers; MORE is what w takes beyond its packed form. */
#define TY_LEAN_CHALLENGE(set, k, l) (!TY_LEAN_ALL(set, k, l) && TY_LEAN_LEFT(set) >= 1024)
#define TY_LEAN_LEFT_1(set, k, l)    (TY_LEAN_LEFT(set) - 1024 * TY_LEAN_CHALLENGE(set, k, l))
#define TY_LEAN_MORE(k)              ((1024 - TY_LEAN_PACKED) * (k))
#define TY_LEAN_ROWS(set, k, l)                                                                    \
    (TY_LEAN_ALL(set, k, l) ||                                                                     \
     TY_LEAN_LEFT_1(set, k, l) - ((l) < 7 ? TY_LEAN_PACKED * (k) * (l) : 0) >= TY_LEAN_MORE(k))
#define TY_LEAN_LEFT_2(set, k, l)                                                                  \
    (TY_LEAN_LEFT_1(set, k, l) - TY_LEAN_MORE(k) * TY_LEAN_ROWS(set, k, l))
#define TY_LEAN_KEEPS(set, k, l)                                                                   \
    (TY_LEAN_ALL(set, k, l) ? 0 : TY_LEAN_FIT(TY_LEAN_LEFT_2(set, k, l), TY_LEAN_PACKED, (k) * (l)))
#define TY_LEAN_MASKS(set, k, l)                                                                   \
    (TY_LEAN_ALL(set, k, l)                                                                        \
       ? (l)                                                                                       \
       : TY_LEAN_FIT(TY_LEAN_LEFT_2(set, k, l) - TY_LEAN_PACKED * TY_LEAN_KEEPS(set, k, l),        \
                     TY_LEAN_MASK(set), l))
/* the number of polynomials of 1024 bytes, and the bytes of what is packed; 1 if that is nothing,
 * as in ML-DSA-87 where w fits unpacked and no more: ISO C has no empty arrays */
#define TY_LEAN_POLYS(set, k, l)                                                                   \
    (TY_LEAN_ALL(set, k, l) * ((k) * (l) + (l)) + TY_LEAN_CHALLENGE(set, k, l) +                   \
     TY_LEAN_ROWS(set, k, l) * (k))
#define TY_LEAN_BYTES(set, k, l)                                                                   \
    ((1 - TY_LEAN_ROWS(set, k, l)) * TY_LEAN_PACKED * (k) +                                        \
     TY_LEAN_MASK(set) * TY_LEAN_MASKS(set, k, l) + TY_LEAN_PACKED * TY_LEAN_KEEPS(set, k, l) +    \
     (TY_LEAN_ROWS(set, k, l) && !TY_LEAN_MASKS(set, k, l) && !TY_LEAN_KEEPS(set, k, l)))

#endif
