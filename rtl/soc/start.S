/* Reset: a stack, main(), and ebreak, at which PicoRV32 traps. Memory is what the simulator
 * loaded. */
.section .start, "ax"
.globl start
start:
    la   sp, stack_top
    call main
    ebreak
