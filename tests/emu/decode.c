/* Decoding: prefixes, the row of emu_op_lists, ModRM and its memory operand. Intel SDM volume 2,
 * 2.1 to 2.3 and 2.7. Not decoded, because compilers do not generate them here: fs and gs
 * overrides, 32-bit addresses. */
#include "decode.h"

#if defined(__x86_64__)
#include <stdlib.h>
#include <string.h>

/* The fields of the three kinds of prefix, each as the value that it adds (VEX and EVEX store them
 * inverted). */
typedef struct fields {
    unsigned encoding, map, prefix, w;
    unsigned r, x, b, r_high;    /* 0 or 8; r_high 0 or 16 */
    unsigned vvvv, len, mask;
    int zeroing, broadcast;
} fields;

static unsigned inverted(uint8_t byte, unsigned bit, unsigned value)
{
    return byte >> bit & 1 ? 0 : value;
}

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
    f->map = EMU_0F;
    if (*p++ == 0xc4) {    /* three bytes: the second has the map, too */
        f->x = inverted(*p, 6, 8);
        f->b = inverted(*p, 5, 8);
        f->map = *p++ & 31;
        f->w = *p >> 7;
    }
    f->vvvv = ~(*p >> 3) & 15;
    f->len = *p & 4 ? 32 : 16;
    f->prefix = *p & 3;
    return p + 1;
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
    if (*p == 0xc4 || *p == 0xc5) return vex_prefix(f, p);
    return legacy_prefix(f, p);
}

/* The rows of emu_op_lists by opcode: first[opcode] is the number of one, next[] that of another
 * with the same opcode, 0 the end; numbers begin at 1. */
enum { MOST_ROWS = 512 };
static const emu_op *rows[MOST_ROWS];
static uint16_t first[256], next[MOST_ROWS];

__attribute__((constructor)) static void index_rows(void)
{
    uint16_t number = 0;
    for (const emu_op *const *list = emu_op_lists; *list; list++)
        for (const emu_op *o = *list; o->name; o++) {
            if (++number == MOST_ROWS) abort();
            rows[number] = o;
            next[number] = first[o->opcode];
            first[o->opcode] = number;
        }
}

static const emu_op *find(const fields *f, uint8_t opcode, uint8_t modrm)
{
    for (unsigned i = first[opcode]; i; i = next[i]) {
        const emu_op *const o = rows[i];
        if (o->map != f->map || o->prefix != f->prefix || !(o->encodings & f->encoding)) continue;
        if (o->extension && o->extension != 1 + (modrm >> 3 & 7)) continue;
        if (o->w == EMU_WIG || f->w == EMU_WIG || o->w == f->w) return o;
    }
    return NULL;
}

/* the bytes of an operand in memory, or in a register if it is not a whole vector */
static unsigned operand_bytes(const emu_op *o, unsigned len)
{
    return !o->memory ? len : o->memory & 0x80 ? len / (o->memory & 0x7f) : o->memory;
}

static int64_t read32(const uint8_t *p)
{
    int32_t x;
    memcpy(&x, p, 4);
    return x;
}

/* ModRM's memory forms. With EVEX an 8-bit displacement is in units of the operand's size. imm: how
 * many immediate bytes follow, because rip-relative addresses count from the end of the
 * instruction. */
static const uint8_t *address(uint64_t *out, const uint8_t *p, const fields *f,
                              const uint64_t gpr[16], int64_t unit, uint64_t imm)
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
    i->op = find(&f, p[0], p[1]);
    if (!i->op) return 0;
    p++;
    const int has_imm = i->op->map == EMU_0F3A || i->op->flags & EMU_IMM;
    i->encoding = f.encoding;
    i->len = f.len;
    i->bytes = operand_bytes(i->op, f.len);
    i->reg = (*p >> 3 & 7) + f.r + f.r_high;
    i->dst = i->op->form == EMU_VM ? f.vvvv : i->reg;
    i->src1 = f.encoding == EMU_LEGACY ? i->dst : f.vvvv;
    i->mask = f.mask;
    i->zeroing = f.zeroing;
    i->memory = *p >> 6 != 3;
    if (f.broadcast && (!i->memory || !i->op->broadcast)) return 0;
    if (i->memory) {
        i->broadcast = f.broadcast;
        const int64_t unit = f.encoding != EMU_EVEX ? 1
                             : i->broadcast         ? i->op->broadcast
                                                    : (int64_t)i->bytes;
        p = address(&i->address, p, &f, gpr, unit, (uint64_t)has_imm);
        if (i->op->flags & EMU_ALIGNED && i->address % i->len) return 0;
    } else {
        i->rm = (*p & 7) + f.b;
        i->src2 = i->rm + (f.encoding == EMU_EVEX ? 2 * f.x : 0);
        p++;
    }
    if (f.mask && !i->op->grain) return 0;
    if (has_imm) i->imm = *p++;
    i->next = p;
    return 1;
}

/* --- VEX instructions that the CPU executes itself -------------------------------------------- */

/* Every VEX instruction writes the vector register in ModRM.reg, except these: */
unsigned emu_vex_writes(const uint8_t *p)
{
    if (*p != 0xc4 && *p != 0xc5) return EMU_WRITES_NONE;
    const int three = *p == 0xc4;
    const unsigned map = three ? p[1] & 31 : EMU_0F, high = p[1] & 0x80 ? 0 : 8,
                   base = three && !(p[1] & 0x20) ? 8 : 0;
    const uint8_t last = p[three ? 2 : 1], opcode = p[three ? 3 : 2], modrm = p[three ? 4 : 3];
    const unsigned vvvv = ~(last >> 3) & 15, prefix = last & 3;
    const unsigned rm = modrm >> 6 == 3 ? (modrm & 7) + base : EMU_WRITES_NONE;
    if (map == EMU_0F) switch (opcode) {
        /* vzeroupper, vzeroall */
        case 0x77: return EMU_WRITES_ALL;
        /* shifts by an immediate */
        case 0x71: case 0x72: case 0x73: return vvvv;
        /* vmovd to a general register */
        case 0x7e: if (prefix != EMU_F3) return EMU_WRITES_NONE; break;
        /* stores */
        case 0x11: case 0x29: case 0x7f: case 0xd6: return rm;
        case 0x13: case 0x17: case 0x2b: case 0xe7: case 0xae: return EMU_WRITES_NONE;
        /* to general registers */
        case 0x50: case 0xd7: case 0x2c: case 0x2d: case 0xc5: return EMU_WRITES_NONE;
        /* to flags */
        case 0x2e: case 0x2f: return EMU_WRITES_NONE;
        default: break;
    } else if (map == EMU_0F38) switch (opcode) {
        /* to flags */
        case 0x17: case 0x0e: case 0x0f: return EMU_WRITES_NONE;
        /* masked stores */
        case 0x2e: case 0x2f: case 0x8e: return EMU_WRITES_NONE;
        case 0xf2: case 0xf3: case 0xf5: case 0xf6: case 0xf7: return EMU_WRITES_NONE;    /* BMI */
        /* gathers write two */
        case 0x90: case 0x91: case 0x92: case 0x93: return EMU_WRITES_UNKNOWN;
        default: break;
    } else if (map == EMU_0F3A) switch (opcode) {
        /* extracts to general registers, rorx */
        case 0x14: case 0x15: case 0x16: case 0x17: case 0xf0: return EMU_WRITES_NONE;
        case 0x61: case 0x63: return EMU_WRITES_NONE;
        /* the result is xmm0 */
        case 0x60: case 0x62: return 0;
        /* extracts of a half */
        case 0x19: case 0x39: case 0x1d: return rm;
        default: break;
    } else {
        return EMU_WRITES_UNKNOWN;
    }
    return (modrm >> 3 & 7) + high;
}
#endif
