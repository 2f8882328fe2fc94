"""Two multipliers, on curves over the toy field of 7 bits. A product takes 3 cycles, as for 163
bits with D = 55."""
import json

import cocotb

from bench import BIT, begin, curve_through, model, sums

import ucode

POLY = 1 << 7 | 3


def image():
    blocks, registers = ucode.parse(ucode.ASM)
    with open(ucode.SCHED, encoding="utf-8") as f:
        return ucode.image(blocks, registers, json.load(f), 3, "two")


@cocotb.test()
async def two_multipliers(dut):
    b = await begin(dut)
    assert await b.read("PARAMETERS") & BIT["TWO_MULTIPLIERS"]
    words = image()
    for _ in range(3):
        curve = curve_through(POLY, *(b.rng.getrandbits(6) | 1 for _ in range(3)))
        await b.curve(curve, False)
        for k in (0, 1, 2, 3, b.rng.getrandbits(7), 127):
            error, got, cycles = await b.run(k, curve.g)
            assert (error, got) == (0, curve.times(k, curve.g)), k
            assert cycles == model.run_cycles(words, 3, curve, 2,
                                              steps=curve.n.bit_length()), cycles
        await sums(b, curve, (words, 3, 2))
