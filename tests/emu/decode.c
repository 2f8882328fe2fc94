/* Decoding: prefixes, the row of emu_ops, ModRM and its memory operand. Intel SDM volume 2, 2.1 to 2.3 and 2.7.
 * Not decoded, because compilers do not make them here: fs and gs overrides, 32-bit addresses. */
#include "decode.h"

#if defined(__x86_64__)
#include <string.h>

/* The fields that the three kinds of prefix carry, each as the value it extends with (VEX and EVEX store them inverted). */
typedef struct fields {
    unsigned encoding, map, prefix, w;
    unsigned r, x, b, r_high;    /* 0 or 8; r_high 0 or 16 */
    unsigned vvvv, len, mask;
    int zeroing, broadcast;
} fields;

static unsigned inverted(uint8_t byte, unsigned bit, unsigned value) { return byte >> bit & 1 ? 0 : value; }

static const uint8_t *legacy_prefix(fields *f, const uint8_t *p)
{
    uint8_t rex = 0;
    f->encoding = EMU_LEGACY;
    f->len = 16;
    if (*p == 0x66) {
        f->prefix = EMU_66;
        p++;
    }
    if ((*p & 0xf0) == 0x40) rex = *p++;
    f->w = EMU_WIG;
    f->r = rex & 4 ? 8 : 0;
    f->x = rex & 2 ? 8 : 0;
    f->b = rex & 1 ? 8 : 0;
    if (p[0] != 0x0f || (p[1] != 0x38 && p[1] != 0x3a)) return NULL;
    f->map = p[1] == 0x38 ? EMU_0F38 : EMU_0F3A;
    return p + 2;
}

static const uint8_t *vex_prefix(fields *f, const uint8_t *p)
{
    f->encoding = EMU_VEX;
    f->r = inverted(p[1], 7, 8);
    f->x = inverted(p[1], 6, 8);
    f->b = inverted(p[1], 5, 8);
    f->map = p[1] & 31;
    f->w = p[2] >> 7;
    f->vvvv = ~(p[2] >> 3) & 15;
    f->len = p[2] & 4 ? 32 : 16;
    f->prefix = p[2] & 3;
    return p + 3;
}

static const uint8_t *evex_prefix(fields *f, const uint8_t *p)
{
    f->encoding = EMU_EVEX;
    f->r = inverted(p[1], 7, 8);
    f->x = inverted(p[1], 6, 8);
    f->b = inverted(p[1], 5, 8);
    f->r_high = inverted(p[1], 4, 16);
    f->map = p[1] & 7;
    f->w = p[2] >> 7;
    f->vvvv = (~(p[2] >> 3) & 15) + inverted(p[3], 3, 16);
    f->prefix = p[2] & 3;
    f->zeroing = p[3] >> 7;
    f->len = 16u << (p[3] >> 5 & 3);
    f->broadcast = p[3] >> 4 & 1;
    f->mask = p[3] & 7;
    return f->len <= 64 ? p + 4 : NULL;
}

static const uint8_t *any_prefix(fields *f, const uint8_t *p)
{
    memset(f, 0, sizeof *f);
    if (*p == 0x62) return evex_prefix(f, p);
    if (*p == 0xc4) return vex_prefix(f, p);
    return legacy_prefix(f, p);
}

static const emu_op *find(const fields *f, uint8_t opcode)
{
    for (const emu_op *o = emu_ops; o->name; o++) {
        const int w = o->w == EMU_WIG || f->w == EMU_WIG || o->w == f->w;
        if (o->map == f->map && o->prefix == f->prefix && o->opcode == opcode && w && o->encodings & f->encoding) return o;
    }
    return NULL;
}

static int64_t read32(const uint8_t *p)
{
    int32_t x;
    memcpy(&x, p, 4);
    return x;
}

/* ModRM's memory forms. An 8-bit displacement counts in units of what is read under EVEX. imm: immediate bytes behind,
 * which rip-relative addresses count from the far side of. */
static const uint8_t *address(uint64_t *out, const uint8_t *p, const fields *f, const uint64_t gpr[16], int64_t unit,
                              uint64_t imm)
{
    const unsigned mod = p[0] >> 6, rm = p[0] & 7;
    uint64_t a = 0;
    p++;
    if (rm == 4) {
        const uint8_t sib = *p++;
        const unsigned index = (sib >> 3 & 7) + f->x, base = sib & 7;
        if (index != 4) a += gpr[index] << (sib >> 6);
        if (base == 5 && mod == 0) {
            a += (uint64_t)read32(p);
            p += 4;
        } else {
            a += gpr[base + f->b];
        }
    } else if (rm == 5 && mod == 0) {
        a = (uint64_t)read32(p) + (uint64_t)(uintptr_t)(p + 4) + imm;
        p += 4;
    } else {
        a = gpr[rm + f->b];
    }
    if (mod == 1) {
        a += (uint64_t)((int8_t)*p * unit);
        p++;
    } else if (mod == 2) {
        a += (uint64_t)read32(p);
        p += 4;
    }
    *out = a;
    return p;
}

int emu_decode(emu_insn *i, const uint8_t *p, const uint64_t gpr[16])
{
    fields f;
    memset(i, 0, sizeof *i);
    p = any_prefix(&f, p);
    if (!p) return 0;
    i->op = find(&f, *p++);
    if (!i->op) return 0;
    const int has_imm = i->op->map == EMU_0F3A;
    i->encoding = f.encoding;
    i->len = f.len;
    i->dst = (*p >> 3 & 7) + f.r + f.r_high;
    i->src1 = f.encoding == EMU_LEGACY ? i->dst : f.vvvv;
    i->mask = f.mask;
    i->zeroing = f.zeroing;
    i->memory = *p >> 6 != 3;
    if (i->memory) {
        i->broadcast = f.broadcast;
        if (i->broadcast && !i->op->broadcast) return 0;
        const int64_t unit = f.encoding != EMU_EVEX ? 1 : i->broadcast ? i->op->broadcast : (int64_t)f.len;
        p = address(&i->address, p, &f, gpr, unit, (uint64_t)has_imm);
    } else {
        i->src2 = (*p & 7) + f.b + (f.encoding == EMU_EVEX ? 2 * f.x : 0);
        p++;
    }
    if (f.mask && !i->op->grain) return 0;
    if (has_imm) i->imm = *p++;
    i->next = p;
    return 1;
}
#endif
