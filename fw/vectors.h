/* Declarations that fw/vectors.c and fw/vectors_kinds.c share. */
#ifndef FW_VECTORS_H
#define FW_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum { FW_FIELDS = 16 };

typedef struct fw_field {
    const uint8_t *at;
    size_t len;
} fw_field;

/* A kind of case: the number of fields after its name, and the function that returns 1 if a case
 * passes */
typedef struct fw_kind {
    const char *name;
    size_t name_len;
    int fields;
    int (*run)(const fw_field *f);
} fw_kind;

extern const fw_kind fw_kinds[];   /* the last one has no run */

/* fw_number: the word in this field; 0 if it has another length.   fw_same: 1 if the field is
 * got[len] */
uint32_t fw_number(fw_field f);
int fw_same(fw_field f, const void *got, size_t len);

#endif
