/* The chain of CMAC, CBC-MAC and CCM: x = E(...E(E(b_0) + b_1) + ... + b_n), of which the last E is
 * only done by ty_sm4_chain_end. Before that the caller may add to x what the mode requires
 * (padding, a subkey). */
#ifndef TY_MAC_SM4_CHAIN_H
#define TY_MAC_SM4_CHAIN_H

#include "sm4/sm4.h"

/* Adds in[len] to the chain.
 *   x      the chain with the first *used bytes of the current block added
 *   used   0 to 16; 0 only before the first byte. Setting it to 16 pads the block with zeros */
void ty_sm4_chain(uint8_t x[TY_AT_LEAST(16)], uint32_t *used, const uint8_t *in, size_t len,
                  const ty_sm4_key *key);

/* x = E(x) */
void ty_sm4_chain_end(uint8_t x[TY_AT_LEAST(16)], const ty_sm4_key *key);

static inline int ty_mac_tag_len_ok(size_t tag_len) { return tag_len >= 4 && tag_len <= 16; }

#endif
