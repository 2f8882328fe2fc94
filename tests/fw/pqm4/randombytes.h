/* as pqm4 declares it */
#include <stddef.h>
#include <stdint.h>
int randombytes(uint8_t *out, size_t len);
