/* An application image in MCUboot's format, as imgtool writes it and tools/fw_sign.py signs it:
 *
 *   header             32 bytes, padded to its own length, which is a multiple of 512
 *   body               vector table, code, data
 *   protected TLVs     {0x6908, length}: the security counter, perhaps a vendor's own
 *   unprotected TLVs   {0x6907, length}: SHA-256 of all of the above, and signatures of the same
 *
 * A TLV is {type, length} of 16 bits each, and then length bytes. All numbers are little-endian. */
#ifndef BOOT_IMAGE_H
#define BOOT_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* The result for an image; QEMU's exit status if the boot loader refuses it. */
typedef enum boot_code {
    BOOT_OK = 0,
    BOOT_NO_IMAGE = 10,   /* the slot does not begin with MCUboot's magic number */
    BOOT_HEADER = 11,     /* header: length 0 or no multiple of 512; a flag or address is set */
    BOOT_SLOT = 12,       /* the image reaches beyond its slot */
    BOOT_WRAP = 13,       /* its lengths add up to more than 32 bits */
    BOOT_TRUNCATED = 14,  /* no TLVs after the body, or no unprotected ones */
    BOOT_TLV_LENGTH = 15, /* a TLV is longer than the rest of its area */
    BOOT_TLV_AREA = 16,   /* areas overlap: a length is too small, or differs from the header's */
    BOOT_TLV = 17,        /* an unknown TLV, a second one of its type, or one of a wrong length */
    BOOT_MISSING = 18,    /* no security counter, no digest, or a required signature is missing */
    BOOT_ALGORITHM = 19,  /* a signature by an unknown algorithm, or of an unknown set */
    BOOT_KEY = 20,        /* a signature by another key than the boot loader's */
    BOOT_DIGEST = 21,     /* the digest is wrong */
    BOOT_SIGNATURE = 22,  /* a signature does not verify */
    BOOT_ROLLBACK = 23,   /* the security counter is lower than that of the image that ran last */
    BOOT_COUNTER = 24,    /* the counter's memory cannot be read, or is full */
    BOOT_ENTRY = 25       /* the vector table's stack or entry point is outside of RAM or body */
} boot_code;

enum { BOOT_ML_DSA = 1, BOOT_SM2 = 2 };   /* algorithms */
enum {
    BOOT_HEADER_LEN = 32,
    BOOT_ALIGN = 512,                     /* of a vector table */
    BOOT_TLV_COUNTER = 0x50,
    BOOT_TLV_SHA256 = 0x10,
    BOOT_TLV_SIGNATURE = 0x54a0,          /* one of those that MCUboot leaves to vendors */
    BOOT_KEY_ID = 8                       /* bytes: the beginning of SHA-256 of the public key */
};

/* The value of a TLV of BOOT_TLV_SIGNATURE: algorithm, set (44, 65, 87; 0 for SM2), two zeros, key
 * id, signature. */
typedef struct boot_signature {
    const uint8_t *sig, *key_id;   /* NULL: no signature */
    size_t len;
    unsigned set;
} boot_signature;

/* The contents of an image; pointers point into the slot. */
typedef struct boot_image {
    size_t signed_len;             /* header, body and protected TLVs, from the slot's beginning */
    size_t body, body_len;
    uint32_t counter;
    const uint8_t *digest;
    boot_signature ml_dsa, sm2;
} boot_image;

/* Parses the image in slot[0..slot_len): lengths and types only; digest and signatures are not
 * verified. Reads nothing outside of the slot; *image is complete only after BOOT_OK. */
boot_code boot_image_read(boot_image *image, const uint8_t *slot, size_t slot_len);

#endif
