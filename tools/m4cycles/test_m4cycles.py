#!/usr/bin/env python3
"""Tests of the cycle model: each rule by a few instructions, an IT block that a faulty emulator
executes wrongly, each error.

Needs arm-none-eabi-gcc, qemu-system-arm, a host C compiler and the packages of
requirements.txt."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import m4cycles                                  # noqa: E402
from machine import Fault                        # noqa: E402

START = """
        .syntax unified
        .thumb
        .section .text
        .word   0x20010000, start + 1
        .type   start, %function
start:  bl      work
        ldr     r1, =after
        str     r0, [r1]
        mov     r0, 0x20
        ldr     r1, =reason
        bkpt    0xab
        b       .
        .type   empty, %function
empty:  bx      lr
        .ltorg
        .balign 4
        .type   work, %function
work:
BODY
        bx      lr
        .ltorg
        .balign 4
        .data
reason: .word   0x20026
after:  .word   0
here:   .word   1, 2, 3, 4, 5, 6, 7, 8
"""
LINK = "SECTIONS { .text 0 : { *(.text*) } .data 0x20000000 : { *(.data*) } }"


def image(folder, body):
    source, script, elf = (os.path.join(folder, n) for n in ("x.S", "x.ld", "x.elf"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(START.replace("BODY", body))
    with open(script, "w", encoding="utf-8") as f:
        f.write(LINK)
    subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard",
                    "-mfpu=fpv4-sp-d16",
                    "-nostdlib", "-Wl,--build-id=none", "-T", script, source, "-o", elf],
                   check=True,
                   stderr=subprocess.DEVNULL)
    return elf


class Model(unittest.TestCase):
    def measure(self, body, **options):
        with tempfile.TemporaryDirectory() as folder:
            return m4cycles.measure(image(folder, body), ["work"], **options)

    def cycles(self, body):
        """Cycles of the body alone, in which r2 points at data; the cycles of setting r2 are
        subtracted"""
        head = "        ldr r2, =here\n        nop\n        nop\n"
        alone = self.measure(head)["functions"]["work"]["min"]
        return self.measure(head + body)["functions"]["work"]["min"] - alone

    def test_data_processing_is_one_cycle(self):
        for text in ("add r0, r0, r1", "umaal r0, r1, r3, r12", "smmulr r0, r1, r3",
                     "mla r0, r1, r3, r0", "eor r0, r0, r1, ror 7"):
            self.assertEqual(self.cycles(text), 1, text)

    def test_loads_overlap(self):
        self.assertEqual(self.cycles("ldr r0, [r2]"), 2)
        self.assertEqual(self.cycles("ldr r0, [r2]\n ldr r1, [r2, 4]\n ldr r3, [r2, 8]"), 4)
        self.assertEqual(self.cycles("mov r3, r2\n nop\n ldr r0, [r2]\n ldr r1, [r2, 4]"), 2 + 3)
        self.assertEqual(self.cycles("str r2, [r2]\n nop\n ldr r0, [r2]\n ldr r1, [r0, 4]"),
                         1 + 1 + 2 + 2)

    def test_a_store_behind_loads_is_free(self):
        self.assertEqual(self.cycles("ldr r0, [r2]\n ldr r1, [r2, 4]\n str r3, [r2, 8]"), 3)
        self.assertEqual(self.cycles("ldr r0, [r2]\n str r0, [r2, 8]"), 3)
        self.assertEqual(self.cycles("mov r3, 4\n nop\n ldr r0, [r2]\n str r1, [r2, r3]"), 2 + 3)

    def test_a_load_behind_a_store_waits(self):
        self.assertEqual(self.cycles("str r0, [r2]\n ldr r1, [r2, 4]"), 4)
        self.assertEqual(self.cycles("str r0, [r2]\n nop\n ldr r1, [r2, 4]"), 4)

    def test_an_address_just_made_waits(self):
        self.assertEqual(self.cycles("add r3, r2, 4\n ldr r0, [r3]"), 4)
        self.assertEqual(self.cycles("add r3, r2, 4\n nop\n ldr r0, [r3]"), 4)

    def test_many_words(self):
        self.assertEqual(self.cycles("ldm r2, {r0, r1, r3}"), 4)
        self.assertEqual(self.cycles("push {r4-r7}\n pop {r4-r7}"), 10)
        self.assertEqual(self.cycles("ldrd r0, r1, [r2]"), 3)

    def test_branches(self):
        self.assertEqual(self.cycles("b 1f\n .balign 4\n1:"), 2)
        self.assertEqual(self.cycles("cmp r2, 0\n beq 1f\n1:"), 2)
        wide = "b 1f\n .balign 4\n nop\n1: add.w r9, r9, r10"
        self.assertEqual(self.cycles(wide) - self.cycles("b 1f\n .balign 4\n1: add.w r9, r9, r10"),
                         1)

    def test_not_aligned(self):
        self.assertEqual(self.cycles("ldr r0, [r2, 2]") - self.cycles("ldr r0, [r2]"), 1)
        self.assertEqual(self.cycles("ldr r0, [r2, 1]") - self.cycles("ldr r0, [r2]"), 2)

    def test_division_ends_early_and_is_counted(self):
        short = "mov r0, 1\n mov r1, 2\n udiv r0, r0, r1"
        self.assertEqual(self.cycles(short), 2 + 2)
        self.assertEqual(self.cycles("mvn r0, 0\n mov r1, 1\n udiv r0, r0, r1"), 2 + 11)
        self.assertEqual(self.measure(short)["functions"]["work"]["divisions"], 1)

    def test_conditional_instructions_cost_what_they_do(self):
        taken = "cmp r2, r2\n it eq\n ldreq r0, [r2]"
        self.assertEqual(self.cycles(taken), 1 + 0 + 2)
        self.assertEqual(self.cycles(taken.replace("eq", "ne").replace("itne", "it ne")), 1 + 0 + 1)

    def test_an_it_block_with_a_store_is_executed_whole(self):
        body = """
        ldr     r2, =here
        mov     r0, 0
        mov     r3, 5
1:      subs    r3, r3, 1
        ittt    ne
        strne   r0, [r2]
        addne   r0, r0, 3
        addne   r0, r0, 4
        bne     1b
        """
        self.assertEqual(self.measure(body)["status"], 4 * 7)
        self.assertEqual(self.measure(body, qemu=True)["status"], 4 * 7)

    def test_stack_and_traces(self):
        found = self.measure("push {r4-r7}\n sub sp, 16\n str r0, [sp]\n add sp, 16\n pop {r4-r7}")[
            "functions"]["work"]
        self.assertEqual((found["stack"], found["flows"], found["addresses"]), (32, 1, 1))

    def test_faults_give_errors_and_no_figures(self):
        for body, words in (("mov r3, 0x40000000\n ldr r0, [r3]",
                             "0x40000000, where nothing is, in work"),
                            (".hword 0xde00", "exception|cannot be decoded|UC_ERR"),
                            ("bkpt 0x12", "exception|semihosting|UC_ERR")):
            with self.assertRaisesRegex(Fault, words, msg=body):
                self.measure(body)
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(Fault,
                                                                             "no function nowhere"):
            m4cycles.measure(image(folder, ""), ["nowhere"])
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(Fault,
                                                                             "never called.*empty"):
            m4cycles.measure(image(folder, ""), ["empty"])

    def test_another_output_in_qemu_is_an_error(self):
        with self.assertRaisesRegex(Fault, "QEMU ends with"):   # DWT's counter stands still there
            self.measure("ldr r0, =0xe0001004\n ldr r0, [r0]\n nop", qemu=True)


if __name__ == "__main__":
    unittest.main()
