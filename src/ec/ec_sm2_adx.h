/* Kernels of the tier "adx" of SM2's curve (ec_sm2.h) that a stronger tier uses too. */
#ifndef TY_EC_EC_SM2_ADX_H
#define TY_EC_EC_SM2_ADX_H

#include "ec/ec_sm2.h"

/* The large table of multiples of G: row t holds 1 to 64 times 2^(TY_EC_SM2_BASE_WIDTH t) G, x and
 * y as ty_p_sm2 in 64 bytes, which is a cache line. */
#define TY_EC_SM2_BASE_WIDTH 7
#define TY_EC_SM2_BASE_ROWS  37
const uint8_t *ty_ec_sm2_base_row_adx(int t);

uint32_t ty_ec_sm2_mul_base_adx(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)]);
void ty_ec_sm2_mul_base_many_adx(uint8_t (*z)[64], const uint8_t (*k)[32], size_t n);
uint32_t ty_ec_sm2_mul_adx(uint8_t z[TY_AT_LEAST(64)], const uint8_t k[TY_AT_LEAST(32)],
                           const uint8_t p[TY_AT_LEAST(64)]);
void ty_ec_sm2_mul_many_adx(uint8_t (*z)[64], const uint8_t (*k)[32], const uint8_t (*p)[64],
                            size_t n);
uint32_t ty_ec_sm2_mul_add_vt_adx(uint8_t z[TY_AT_LEAST(64)], const uint8_t u[TY_AT_LEAST(32)],
                                  const uint8_t v[TY_AT_LEAST(32)],
                                  const uint8_t p[TY_AT_LEAST(64)]);
uint32_t ty_ec_sm2_joint_has_x_vt_adx(const uint8_t x[TY_AT_LEAST(32)],
                                      const uint8_t u[TY_AT_LEAST(32)],
                                      const uint8_t v[TY_AT_LEAST(32)],
                                      const uint8_t p[TY_AT_LEAST(64)]);
void ty_ec_sm2_table_vt_adx(uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)],
                            const uint8_t p[TY_AT_LEAST(64)]);
uint32_t ty_ec_sm2_table_has_x_vt_adx(const uint8_t x[TY_AT_LEAST(32)],
                                      const uint8_t u[TY_AT_LEAST(32)],
                                      const uint8_t v[TY_AT_LEAST(32)],
                                      const uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)]);
void ty_ec_sm2_checks_vt_adx(ty_ec_sm2_check *c, size_t n);
uint32_t ty_ec_sm2_add_adx(uint8_t z[TY_AT_LEAST(64)], const uint8_t p[TY_AT_LEAST(64)],
                           const uint8_t q[TY_AT_LEAST(64)]);
uint32_t ty_ec_sm2_on_curve_adx(const uint8_t p[TY_AT_LEAST(64)]);
uint32_t ty_ec_sm2_decompress_adx(uint8_t z[TY_AT_LEAST(64)], const uint8_t x[TY_AT_LEAST(32)],
                                  uint32_t odd);

#endif
