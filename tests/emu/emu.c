/* The SIGILL handler. */
#define _GNU_SOURCE
#include "emu.h"

#if defined(__x86_64__) && defined(__linux__)
#include "decode.h"
#include "state.h"

#include <cpuid.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

static unsigned long count;
static struct sigaction before;

/* The second operand from memory. Masked-out elements are not touched: they may lie on an unmapped page. */
static void load(emu_vec *v, const emu_insn *i, uint64_t enabled)
{
    const uint8_t *from = (const uint8_t *)(uintptr_t)i->address;
    const unsigned grain = i->op->grain, unit = i->op->broadcast ? i->op->broadcast : grain;
    memset(v, 0, sizeof *v);
    if (i->broadcast) {
        for (unsigned at = 0; at < i->len; at += unit) memcpy(v->b + at, from, unit);
    } else if (!i->mask) {
        memcpy(v->b, from, i->len);
    } else {
        for (unsigned at = 0; at < i->len; at += unit)
            if (enabled >> at / grain & (((uint64_t)1 << unit / grain) - 1)) memcpy(v->b + at, from + at, unit);
    }
}

/* Elements whose mask bit is off keep the old value, or become zero. */
static void apply_mask(emu_vec *d, const emu_vec *old, const emu_insn *i, uint64_t enabled)
{
    const unsigned grain = i->op->grain;
    for (unsigned at = 0; at < i->len; at += grain) {
        if (enabled >> at / grain & 1) continue;
        if (i->zeroing) memset(d->b + at, 0, grain);
        else memcpy(d->b + at, old->b + at, grain);
    }
}

static void execute(const emu_insn *i, uint8_t *xsave)
{
    emu_vec a, b, d, old;
    const uint64_t enabled = i->mask ? emu_state_mask(xsave, i->mask) : ~(uint64_t)0;
    emu_state_get(&old, xsave, i->dst);
    emu_state_get(&a, xsave, i->src1);
    if (i->memory) load(&b, i, enabled);
    else emu_state_get(&b, xsave, i->src2);
    d = old;
    i->op->fn(&d, &a, &b, i->len, i->imm);
    if (i->mask) apply_mask(&d, &old, i, enabled);
    emu_state_put(xsave, i->dst, &d, i->len, i->encoding == EMU_LEGACY);
}

static int emulate(ucontext_t *uc)
{
    static const int order[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                   REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
    greg_t *g = uc->uc_mcontext.gregs;
    uint64_t gpr[16];
    emu_insn i;
    for (int r = 0; r < 16; r++) gpr[r] = (uint64_t)g[order[r]];
    if (!emu_decode(&i, (const uint8_t *)(uintptr_t)g[REG_RIP], gpr)) return 0;
    if (i.len > emu_state_bytes() || (i.encoding == EMU_EVEX && emu_state_bytes() < 64)) return 0;
    execute(&i, (uint8_t *)uc->uc_mcontext.fpregs);
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    g[REG_RIP] = (greg_t)(uintptr_t)i.next;
    return 1;
}

/* What is not ours goes back to whoever had the signal before; the instruction then faults again. */
static void on_sigill(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    if (!emulate(context)) sigaction(SIGILL, &before, NULL);
}

/* What the CPU says it has of what the emulator can add. */
static ty_cpu native(void)
{
    unsigned a, b, c, d;
    ty_cpu f = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    if (c & 1u << 8) f |= TY_CPU_GFNI;
    if (c & 1u << 9) f |= TY_CPU_VAES;
    if (c & 1u << 10) f |= TY_CPU_VCLMUL;
    if (b & 1u << 21) f |= TY_CPU_IFMA;
    return f;
}

ty_cpu emu_features(void)
{
    static ty_cpu features;
    static int installed;
    if (installed) return features;
    installed = 1;
    emu_state_init();
    if (emu_state_bytes() >= 32) features |= TY_CPU_GFNI | TY_CPU_VAES | TY_CPU_VCLMUL;
    if (emu_state_bytes() >= 64) features |= TY_CPU_IFMA;
    features &= ~native();
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_sigill;
    sa.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&sa.sa_mask);
    sigaction(SIGILL, &sa, &before);
    return features;
}
#else
ty_cpu emu_features(void) { return 0; }
#endif

unsigned long emu_count(void)
{
#if defined(__x86_64__) && defined(__linux__)
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
#else
    return 0;
#endif
}
