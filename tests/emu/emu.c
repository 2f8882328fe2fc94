/* The SIGILL handler, and the SIGTRAP handler, which maintains the registers of which the CPU has
 * only the lower half. */
#define _GNU_SOURCE
#include "emu.h"

#if defined(__x86_64__) && defined(__linux__)
#include "decode.h"
#include "state.h"

#include <cpuid.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static unsigned long count;
static struct sigaction before, before_trap;
static emu_watcher *watcher;

/* An operand from memory. If it is a whole vector, its masked-out elements are not touched: they
 * may be on an unmapped page. A shorter one is read whole. */
static void load(emu_vec *v, const emu_insn *i, uint64_t enabled)
{
    const uint8_t *from = (const uint8_t *)(uintptr_t)i->address;
    const unsigned grain = i->op->grain, unit = i->op->broadcast ? i->op->broadcast : grain;
    memset(v, 0, sizeof *v);
    if (i->broadcast) {
        for (unsigned at = 0; at < i->len; at += unit) emu_copy(v->b + at, from, unit);
    } else if (!i->mask || i->bytes != i->len) {
        emu_copy(v->b, from, i->bytes);
    } else {
        for (unsigned at = 0; at < i->len; at += unit)
            if (enabled >> at / grain & (((uint64_t)1 << unit / grain) - 1))
                emu_copy(v->b + at, from + at, unit);
    }
}

static void store(const emu_insn *i, const emu_vec *v, uint64_t enabled)
{
    uint8_t *to = (uint8_t *)(uintptr_t)i->address;
    const unsigned grain = i->op->grain;
    if (!i->mask) {
        emu_copy(to, v->b, i->bytes);
        return;
    }
    for (unsigned at = 0; at < i->bytes; at += grain)
        if (enabled >> at / grain & 1) emu_copy(to + at, v->b + at, grain);
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

/* b = the operand that the instruction reads from rm, or from reg if rm is the destination */
static void source(emu_vec *b, const emu_insn *i, const uint8_t *xsave, const uint64_t gpr[16],
                   uint64_t enabled)
{
    const unsigned form = i->op->form;
    if (form == EMU_MR || form == EMU_GR) {
        emu_state_get(b, xsave, i->reg);
    } else if (i->memory) {
        load(b, i, enabled);
    } else if (form == EMU_RG || form == EMU_RK) {
        memset(b, 0, sizeof *b);
        b->q[0] = form == EMU_RG ? gpr[i->rm] : emu_state_mask(xsave, i->rm & 7);
    } else {
        emu_state_get(b, xsave, i->src2);
    }
}

static void execute(const emu_insn *i, uint8_t *xsave, uint64_t gpr[16])
{
    emu_vec a, b, d, old;
    const unsigned form = i->op->form, target = form == EMU_MR ? i->src2 : i->dst;
    uint64_t enabled = i->mask ? emu_state_mask(xsave, i->mask) : ~(uint64_t)0;
    unsigned imm = i->imm;
    memset(&old, 0, sizeof old);
    if (form != EMU_KVM && form != EMU_GR && !(form == EMU_MR && i->memory))
        emu_state_get(&old, xsave, target);
    emu_state_get(&a, xsave, i->src1);
    source(&b, i, xsave, gpr, enabled);
    d = old;
    if (i->op->flags & EMU_COMPRESS) {   /* the selected elements are written from the first on */
        imm = (unsigned)(enabled & (((uint64_t)1 << i->len / i->op->grain) - 1));
        enabled = ((uint64_t)1 << __builtin_popcount(imm)) - 1;
    }
    i->op->fn(&d, &a, &b, i->len, imm);
    if (form == EMU_KVM) {
        emu_state_put_mask(xsave, i->reg & 7, d.q[0] & enabled);
    } else if (form == EMU_GR && !i->memory) {
        gpr[i->rm] = i->bytes == 8 ? d.q[0] : d.d[0];
    } else if (form == EMU_GR || (form == EMU_MR && i->memory)) {
        store(i, &d, enabled);
    } else {
        const unsigned len = form == EMU_MR ? i->bytes : i->len;
        if (i->mask) apply_mask(&d, i->op->flags & EMU_BLEND ? &a : &old, i, enabled);
        emu_state_put(xsave, target, &d, len, i->encoding == EMU_LEGACY);
    }
}

/* Executes instructions up to the first that is not emulated; returns their number. */
static unsigned emulate(ucontext_t *uc)
{
    static const int order[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15 };
    greg_t *g = uc->uc_mcontext.gregs;
    uint8_t *xsave = (uint8_t *)uc->uc_mcontext.fpregs;
    const uint8_t *p = (const uint8_t *)(uintptr_t)g[REG_RIP];
    uint64_t gpr[16], flags = (uint64_t)g[REG_EFL];
    unsigned n = 0;
    for (int r = 0; r < 16; r++) gpr[r] = (uint64_t)g[order[r]];
    for (;; n++) {
        emu_insn i;
        const uint8_t *next = NULL;
        if (watcher) watcher(p, gpr);
        if (emu_decode(&i, p, gpr) && i.len <= emu_state_bytes() &&
            (i.encoding != EMU_EVEX || emu_state_bytes() == 64)) {
            execute(&i, xsave, gpr);
            next = i.next;
        } else if (emu_state_added()) {
            next = emu_opmask(p, xsave, gpr, &flags);
        }
        if (!next) break;
        p = next;
    }
    for (int r = 0; r < 16; r++) g[order[r]] = (greg_t)gpr[r];
    g[REG_EFL] = (greg_t)flags;
    g[REG_RIP] = (greg_t)(uintptr_t)p;
    __atomic_fetch_add(&count, n, __ATOMIC_RELAXED);
    return n;
}

/* The CPU does not have the upper halves that we keep, and its own VEX instructions have to clear
 * those of the register that they write. So while one is not zero, which ends at the function's
 * vzeroupper, the CPU executes single steps (the trap flag), and the register that each instruction
 * is going to write is decoded before it runs. */
static _Thread_local int stepping;
enum { TRAP_FLAG = 0x100 };

static int go_on(ucontext_t *uc)
{
    greg_t *g = uc->uc_mcontext.gregs;
    const int exposed = emu_state_exposed();
    stepping = exposed || watcher != NULL;
    if (!stepping) {
        g[REG_EFL] &= ~(greg_t)TRAP_FLAG;
        return 1;
    }
    g[REG_EFL] |= TRAP_FLAG;
    if (!exposed) return 1;
    const unsigned written = emu_vex_writes((const uint8_t *)(uintptr_t)g[REG_RIP]);
    if (written == EMU_WRITES_UNKNOWN) return 0;
    if (written <= EMU_WRITES_ALL) emu_state_clear(written);
    return 1;
}

static void on_sigtrap(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    if (!stepping) {
        sigaction(SIGTRAP, &before_trap, NULL);
        return;
    }
    emulate(context);
    if (!go_on(context)) abort();   /* such as a gather while an upper half is in use */
}

/* Prints the bytes of an instruction that is not emulated, by write(), which a signal handler may
 * call. */
static void report(const ucontext_t *context)
{
    const uint8_t *p = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
    char line[] = "emulator: not emulated: .. .. .. .. .. .. .. ..\n";
    for (int i = 0; i < 8; i++) {
        line[24 + 3 * i] = "0123456789abcdef"[p[i] >> 4];
        line[25 + 3 * i] = "0123456789abcdef"[p[i] & 15];
    }
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) return;
}

/* If the instruction is not emulated, the previous handler is restored, and the instruction faults
 * again. */
static void on_sigill(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    if (!emulate(context)) {
        report(context);
        sigaction(SIGILL, &before, NULL);
    } else if (!go_on(context)) {
        abort();
    }
}

/* The features among those of the emulator that the CPU has. */
static ty_cpu native(void)
{
    unsigned a, b, c, d;
    ty_cpu f = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    if (c & 1u << 8) f |= TY_CPU_GFNI;
    if (c & 1u << 9) f |= TY_CPU_VAES;
    if (c & 1u << 10) f |= TY_CPU_VCLMUL;
    if (b & 1u << 21) f |= TY_CPU_IFMA;
    if (c & 1u << 6) f |= TY_CPU_VBMI2;
    if (!emu_state_added()) f |= TY_CPU_AVX512;
    return f;
}

ty_cpu emu_features(void)
{
    static ty_cpu features;
    static int installed;
    if (installed) return features;
    installed = 1;
    emu_state_init();
    if (emu_state_bytes() == 64)
        features = TY_CPU_GFNI | TY_CPU_VAES | TY_CPU_VCLMUL | TY_CPU_AVX512 | TY_CPU_IFMA |
                   TY_CPU_VBMI2;
    features &= ~native();
    features |= TY_CPU_CLMUL512;   /* says how fast a product is, and adds no instruction */
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_sigill;
    sa.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&sa.sa_mask);
    sigaction(SIGILL, &sa, &before);
    sa.sa_sigaction = on_sigtrap;
    sigaction(SIGTRAP, &sa, &before_trap);
    return features;
}

int emu_upper_in_use(void) { return emu_state_exposed(); }

int emu_can_watch(void)
{
    (void)emu_features();
    return emu_state_bytes() != 0;
}

void emu_watch(emu_watcher *watch)
{
    watcher = watch;
    /* without a watcher the next trap clears the trap flag */
    if (!watch) return;
    stepping = 1;
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\t" /* past the red zone */
                     "pushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
                     :
                     : "i"(TRAP_FLAG)
                     : "memory", "cc");
}
#else
ty_cpu emu_features(void) { return 0; }
int emu_can_watch(void) { return 0; }
int emu_upper_in_use(void) { return 0; }
void emu_watch(emu_watcher *watch) { (void)watch; }
#endif

unsigned long emu_count(void)
{
#if defined(__x86_64__) && defined(__linux__)
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
#else
    return 0;
#endif
}
