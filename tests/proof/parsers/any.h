/* Inputs for CBMC of which only what a proof assumes is known. */
#ifndef TONGYU_TESTS_PROOF_ANY_H
#define TONGYU_TESTS_PROOF_ANY_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t nondet_size(void);   /* CBMC lets functions of such names return any value */
uint8_t nondet_byte(void);
uint32_t nondet_word(void);
int nondet_int(void);
#define any_size nondet_size
#define any_byte nondet_byte
#define any_word nondet_word
#define any_int nondet_int

#define assume(x) __CPROVER_assume(x)

static inline size_t any_size_to(size_t most)
{
    const size_t n = any_size();
    assume(n <= most);
    return n;
}

/* exactly len bytes of any value: an access outside them is detected */
static inline uint8_t *any_bytes(size_t len)
{
    uint8_t *const p = malloc(len);
    assume(p != NULL);
    return p;
}

#endif
