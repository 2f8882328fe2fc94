/* The header of a sealed file (src/box/box.c), for CBMC */
#include "any.h"

#include "box/box.c"

/* As src/kdf/scrypt.h states it: 0 if the costs are refused, else the bytes of memory */
size_t ty_scrypt_memory(uint64_t n, uint32_t r, uint32_t p)
{
    assert(n >= 2 && n <= (uint64_t)1 << 30);
    const size_t memory = any_size();
    if (r == 0 || p == 0) return 0;
    return memory;
}

/* Any bytes of any length: refused, or a header of a length that its kind has, costs with bounded
 * memory, and an allowed number of recipients. */
void proof_peek(void)
{
    const size_t len = any_size_to(64);
    const uint8_t *const in = any_bytes(len);
    ty_box_info info;
    const ty_err err = ty_box_peek(&info, in, len);
    assert(err == TY_OK || err == TY_ERR_FORMAT || err == TY_ERR_UNSUPPORTED);
    if (err != TY_OK) return;
    assert(len >= TY_BOX_PREFIX && info.header_len <= TY_BOX_HEADER_MAX);
    assert(info.header_len >= PASSWORD_HEADER);
    if (info.kind == TY_BOX_SM2) {
        assert(info.recipients >= 1 && info.recipients <= TY_BOX_RECIPIENTS_MAX);
        return;
    }
    assert(info.recipients == 0 && info.header_len == PASSWORD_HEADER);
    if (info.kind == TY_BOX_PASSWORD) assert(info.iterations != 0);
    if (info.kind != TY_BOX_SCRYPT) return;
    assert(info.memory && info.memory <= TY_BOX_MEMORY_MAX);
}

/* Only a whole header of the requested kind is accepted. */
void proof_whole(void)
{
    const size_t len = any_size_to(64);
    const uint8_t *const in = any_bytes(len);
    ty_box_info info;
    const ty_box_kind kind = any_int() ? TY_BOX_PASSWORD : any_int() ? TY_BOX_SCRYPT : TY_BOX_SM2;
    const ty_err err = peek_whole(&info, in, len, kind);
    assert(err != TY_OK || (info.kind == kind && info.header_len == len));
    assert(err != TY_OK || kind == TY_BOX_SM2 || len == PASSWORD_HEADER);
}
