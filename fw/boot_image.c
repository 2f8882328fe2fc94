/* The parser of images. It reads nothing but its arguments, so that it also runs on a host, under a
 * fuzzer. */
#include "boot_image.h"

#include <string.h>

static uint32_t get16(const uint8_t *p) { return (uint32_t)(p[0] | p[1] << 8); }
static uint32_t get32(const uint8_t *p) { return get16(p) | get16(p + 2) << 16; }

/* An area of TLVs with its magic number, p[len]. */
typedef struct area {
    const uint8_t *p;
    size_t len;
} area;

/* Finds the area that begins at slot[at] with this magic number. */
static boot_code open_area(area *a, const uint8_t *slot, size_t slot_len, size_t at, uint32_t magic)
{
    if (slot_len - at < 4) return BOOT_SLOT;
    if (get16(slot + at) != magic) return BOOT_TRUNCATED;
    a->p = slot + at;
    a->len = get16(slot + at + 2);
    if (a->len < 4) return BOOT_TLV_AREA;
    return a->len <= slot_len - at ? BOOT_OK : BOOT_SLOT;
}

static boot_code take_signature(boot_image *image, const uint8_t *p, size_t len)
{
    enum { HEAD = 4 + BOOT_KEY_ID };
    if (len <= HEAD || p[2] || p[3]) return BOOT_TLV;
    boot_signature *s = p[0] == BOOT_ML_DSA ? &image->ml_dsa : &image->sm2;
    const int known = p[0] == BOOT_ML_DSA ? p[1] == 44 || p[1] == 65 || p[1] == 87
                                          : p[0] == BOOT_SM2 && p[1] == 0;
    if (!known) return BOOT_ALGORITHM;
    if (s->sig) return BOOT_TLV;
    *s = (boot_signature){ p + HEAD, p + 4, len - HEAD, p[1] };
    return BOOT_OK;
}

/* MCUboot leaves types whose low byte is 0xa0 and more to vendors. Protected ones are signed, and
 * the application may read them; dependencies and the like are refused, because this loader does
 * not enforce them. */
static boot_code take_protected(boot_image *image, uint32_t type, const uint8_t *p, size_t len,
                                int *has_counter)
{
    if ((type & 0xff) >= 0xa0) return BOOT_OK;
    if (type != BOOT_TLV_COUNTER || len != 4 || *has_counter) return BOOT_TLV;
    *has_counter = 1;
    image->counter = get32(p);
    return BOOT_OK;
}

static boot_code take_unprotected(boot_image *image, uint32_t type, const uint8_t *p, size_t len)
{
    if (type == BOOT_TLV_SIGNATURE) return take_signature(image, p, len);
    if (type != BOOT_TLV_SHA256 || len != 32 || image->digest) return BOOT_TLV;
    image->digest = p;
    return BOOT_OK;
}

/* Reads all TLVs of an area, each of which must end within it. */
static boot_code take_area(boot_image *image, const area *a, int is_protected, int *has_counter)
{
    for (size_t at = 4; at < a->len;) {
        if (a->len - at < 4) return BOOT_TLV_LENGTH;
        const uint32_t type = get16(a->p + at), len = get16(a->p + at + 2);
        at += 4;
        if (len > a->len - at) return BOOT_TLV_LENGTH;
        const boot_code code = is_protected
                                   ? take_protected(image, type, a->p + at, len, has_counter)
                                   : take_unprotected(image, type, a->p + at, len);
        if (code != BOOT_OK) return code;
        at += len;
    }
    return BOOT_OK;
}

/* Reads the header: the offsets of the body and of the TLVs. */
static boot_code take_header(boot_image *image, size_t *protected_len, const uint8_t *slot,
                             size_t slot_len)
{
    if (slot_len < BOOT_HEADER_LEN) return BOOT_SLOT;
    if (get32(slot) != 0x96f3b83du) return BOOT_NO_IMAGE;
    const uint32_t load_address = get32(slot + 4), head = get16(slot + 8), flags = get32(slot + 16);
    const uint32_t size = get32(slot + 12);
    *protected_len = get16(slot + 10);
    if (load_address || flags || head == 0 || head % BOOT_ALIGN) return BOOT_HEADER;
    const uint64_t end = (uint64_t)head + size + *protected_len;
    if (end > UINT32_MAX) return BOOT_WRAP;
    if (end > slot_len) return BOOT_SLOT;
    image->body = head;
    image->body_len = size;
    image->signed_len = (size_t)end;
    return BOOT_OK;
}

boot_code boot_image_read(boot_image *image, const uint8_t *slot, size_t slot_len)
{
    size_t protected_len;
    area protected_area, unprotected_area;
    int has_counter = 0;
    memset(image, 0, sizeof *image);
    boot_code code = take_header(image, &protected_len, slot, slot_len);
    if (code != BOOT_OK) return code;
    if (!protected_len) return BOOT_MISSING;   /* the counter would be there */
    const size_t at = image->body + image->body_len;
    code = open_area(&protected_area, slot, slot_len, at, 0x6908);
    if (code != BOOT_OK) return code;
    if (protected_area.len != protected_len) return BOOT_TLV_AREA;
    code = take_area(image, &protected_area, 1, &has_counter);
    if (code != BOOT_OK) return code;
    code = open_area(&unprotected_area, slot, slot_len, image->signed_len, 0x6907);
    if (code != BOOT_OK) return code;
    code = take_area(image, &unprotected_area, 0, NULL);
    if (code != BOOT_OK) return code;
    return has_counter && image->digest ? BOOT_OK : BOOT_MISSING;
}
