/* Reset, memory set-up and semihosting for a bare Cortex-M4; then main(), whose result becomes
 * QEMU's exit status. */
#include "fw.h"

#include <stdint.h>
#include <string.h>

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
int main(void);
void reset(void);
static void fault(void);

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault,
};

/* ARM semihosting: operation in r0, argument in r1, breakpoint 0xAB. */
int fw_host(int op, const void *arg)
{
    register int r0 __asm__("r0") = op;
    register const void *r1 __asm__("r1") = arg;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void fw_print(const char *text) { fw_host(0x04, text); }   /* SYS_WRITE0 */

static void finish(uint32_t status)
{
    const uint32_t reason[2] = { 0x20026, status };          /* ADP_Stopped_ApplicationExit */
    fw_host(0x20, reason);                                  /* SYS_EXIT_EXTENDED */
    for (;;) { }
}

static void fault(void)
{
    fw_print("fault\n");
    finish(99);
}

/* If the core has FPU registers, every access to them is a fault until coprocessors 10 and 11 are
 * enabled in CPACR, which takes effect after a barrier. */
static void fpu_on(void)
{
#if defined(__ARM_FP)
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

void reset(void)
{
    fpu_on();
    memcpy(data_start, data_load, (size_t)((char *)data_end - (char *)data_start));
    memset(bss_start, 0, (size_t)((char *)bss_end - (char *)bss_start));
    finish((uint32_t)main());
}
