/* The hooks of machine.py for every basic block and every access to memory, in C because there are
 * millions of them. Python computes the cost of a block, once. */
#include <stdint.h>
#include <stdlib.h>

/* depth of nested calls of watched functions; entries of the hash table of blocks */
enum { DEEP = 64, BLOCKS = 1 << 17 };

/* cycles: with the last branch not taken; taken: those in addition if it is; always: 1 if it
 * always is; ops: instructions; runs, jumps: how often the block ran, and its branch was taken */
typedef struct block {
    uint32_t at, size, cycles, ops, taken, always;
    uint32_t wide;     /* 1 if a jump to it takes a cycle more */
    int32_t watched;   /* number of the function that begins here, or -1 */
    uint64_t runs, jumps;
} block;

typedef struct counts {
    uint64_t cycles, ops, loads, stores, unaligned, divisions;
    uint64_t flow, addresses;   /* hashes */
} counts;

/* an ended call of a watched function: bytes of stack, and what it took, callees included */
typedef struct record {
    int32_t watched;
    uint32_t stack;
    counts used;
} record;

/* a call in progress: its return address, sp where it began, the lowest address written to on the
 * stack, the counts where it began, and its hashes */
typedef struct frame {
    int32_t watched;
    uint32_t back, sp, lowest;
    counts start;
    uint64_t flow, addresses;
} frame;

typedef struct machine {
    counts now;
    uint32_t records, depth, too_deep, too_many;
    record *record;
    uint32_t room;
    block *block, *last;
    frame frame[DEEP];
    int (*read)(void *, int, void *);
    void (*cost)(block *);
    int sp, lr;
} machine;

machine *m4_new(int (*read)(void *, int, void *), void (*cost)(block *), int sp, int lr)
{
    machine *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->block = calloc(BLOCKS, sizeof *m->block);
    m->read = read;
    m->cost = cost;
    m->sp = sp;
    m->lr = lr;
    return m->block ? m : NULL;
}

block *m4_blocks(machine *m) { return m->block; }
uint32_t m4_room(void) { return BLOCKS; }

static void mix(uint64_t *hash, uint64_t x)
{
    *hash = (*hash ^ x) * 0x9e3779b97f4a7c15u;
    *hash ^= *hash >> 29;
}

static block *find(machine *m, uint32_t at, uint32_t size)
{
    uint32_t i = (at * 2654435761u + size) % BLOCKS;
    for (uint32_t n = 0; n < BLOCKS / 2; n++, i = (i + 1) % BLOCKS) {
        block *b = &m->block[i];
        if (!b->size) {
            *b = (block){ .at = at, .size = size, .watched = -1 };
            m->cost(b);
            return b;
        }
        if (b->at == at && b->size == size) return b;
    }
    m->too_many = 1;
    return &m->block[0];
}

static uint32_t reg(machine *m, void *uc, int which)
{
    uint32_t x = 0;
    m->read(uc, which, &x);
    return x;
}

static void leave(machine *m, const frame *f)
{
    if (m->records == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->record = realloc(m->record, m->room * sizeof *m->record);
        if (!m->record) abort();
    }
    record *r = &m->record[m->records++];
    *r = (record){ f->watched, f->sp - f->lowest, m->now };
    r->used.cycles -= f->start.cycles;
    r->used.ops -= f->start.ops;
    r->used.loads -= f->start.loads;
    r->used.stores -= f->start.stores;
    r->used.unaligned -= f->start.unaligned;
    r->used.divisions -= f->start.divisions;
    r->used.flow = f->flow;
    r->used.addresses = f->addresses;
    if (--m->depth) {
        frame *outer = &m->frame[m->depth - 1];
        if (f->lowest < outer->lowest) outer->lowest = f->lowest;
        mix(&outer->flow, f->flow);
        mix(&outer->addresses, f->addresses);
    }
}

void m4_block(void *uc, uint64_t at, uint32_t size, machine *m)
{
    block *b = find(m, (uint32_t)at, size), *p = m->last;
    if (p && (p->always || (p->taken && b->at != p->at + p->size))) {
        m->now.cycles += p->taken + b->wide;
        p->jumps++;
    }
    while (m->depth && m->frame[m->depth - 1].back == b->at &&
           m->frame[m->depth - 1].sp == reg(m, uc, m->sp))
        leave(m, &m->frame[m->depth - 1]);
    if (b->watched >= 0 && m->depth == DEEP) m->too_deep = 1;
    else if (b->watched >= 0) {
        const uint32_t sp = reg(m, uc, m->sp);
        m->frame[m->depth++] = (frame){ b->watched, reg(m, uc, m->lr) & ~1u, sp, sp, m->now, 1, 1 };
    }
    if (m->depth) mix(&m->frame[m->depth - 1].flow, b->at);
    m->now.cycles += b->cycles;
    m->now.ops += b->ops;
    b->runs++;
    m->last = b;
}

void m4_memory(void *uc, int type, uint64_t at, int size, int64_t value, machine *m)
{
    const uint32_t a = (uint32_t)at;
    const uint32_t penalty = size == 2 ? a & 1 : size == 1 ? 0 : a & 1 ? 2 : a % 4 / 2;
    const int write = type == 17;   /* UC_MEM_WRITE */
    (void)uc, (void)value;
    *(write ? &m->now.stores : &m->now.loads) += size == 8 ? 2 : 1;
    m->now.cycles += penalty;
    m->now.unaligned += penalty != 0;
    if (!m->depth) return;
    frame *f = &m->frame[m->depth - 1];
    if (write && a < f->lowest && f->sp - a < 1u << 20) f->lowest = a & ~3u;
    mix(&f->addresses, a * 2u + (unsigned)write);
}

/* The cost beyond one cycle of a conditional instruction that executes; or the registers of a
 * division */
typedef struct extra {
    machine *m;
    uint32_t cycles;
    int dividend, divisor, is_signed;
} extra;

void m4_extra(void *uc, uint64_t at, uint32_t size, extra *e)
{
    (void)uc, (void)at, (void)size;
    e->m->now.cycles += e->cycles;
}

/* SDIV and UDIV end early: 2 cycles for a quotient of 0, else 3 + n/4, rounded up, for one of n
 * bits, of which two are in the block's cost. The manual gives 2 to 12. */
void m4_divide(void *uc, uint64_t at, uint32_t size, extra *e)
{
    uint32_t n = reg(e->m, uc, e->dividend), d = reg(e->m, uc, e->divisor), bits = 0;
    (void)at, (void)size;
    if (e->is_signed && (int32_t)n < 0) n = 0u - n;
    if (e->is_signed && (int32_t)d < 0) d = 0u - d;
    if (d) for (uint64_t x = d; x <= n; x <<= 1) bits++;
    const uint32_t cycles = !bits ? 2 : 3 + (bits + 3) / 4;
    e->m->now.cycles += (cycles > 12 ? 12 : cycles) - 2;
    e->m->now.divisions++;
}
