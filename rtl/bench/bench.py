"""The second test bench: cocotb drives the bus, expected values come from the model in rtl/ucode.

It shares only the register map with the first, tests/rtl; run.py starts the tests.
"""
import logging
import os
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../ucode"), os.path.join(HERE, "../regs")]

import model
import registers

REG = {name: offset for name, offset, *_ in registers.REGISTERS}
DO = {name: value for name, value, _ in registers.COMMANDS}
SLOT = {name: value for name, value, _ in registers.SLOTS}
ERR = {name: value for name, value, _ in registers.ERRORS}
BIT = {name: 1 << low for *_, fields in registers.REGISTERS for name, low, *_ in fields}
FIELDS = [113, 131, 163, 193, 233, 239, 7, 8]


class Bench:
    def __init__(self, dut):
        self.dut, self.rng, self.up, self.blind = dut, random.Random(7), 0, 0
        self.connect()

    def connect(self):
        dut = self.dut
        self.axi = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        for half in (self.axi.write_if, self.axi.read_if):
            half.log.setLevel(logging.WARNING)    # it logs every transfer

    async def start(self):
        dut = self.dut
        for pin in (dut.random_valid, dut.random_data, dut.key_valid, dut.key_index, dut.key_data):
            pin.value = 0
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value = 1
        await ClockCycles(dut.clk, 4)
        dut.rst.value = 0
        cocotb.start_soon(self.noise())
        await self.rest()

    async def noise(self):
        """A random source with pauses."""
        while True:
            self.dut.random_valid.value = self.rng.randrange(4) != 0
            self.dut.random_data.value = self.rng.getrandbits(32)
            await RisingEdge(self.dut.clk)

    async def read(self, name, index=0):
        return int.from_bytes((await self.axi.read(REG[name] + 4 * index, 4)).data, "little")

    async def write(self, name, value, index=0):
        """Whether the device accepted the write."""
        done = await self.axi.write(REG[name] + 4 * index, value.to_bytes(4, "little"))
        return done.resp == AxiResp.OKAY

    async def rest(self):
        while await self.read("STATUS") & BIT["BUSY"]:
            await ClockCycles(self.dut.clk, 20)

    async def words(self, name, value):
        for i in range(8):
            await self.write(name, value >> 32 * i & 0xffffffff, i)

    async def scalar(self, k):
        await self.words("SCALAR", k)
        for i in range(self.blind):
            assert await self.write("SCALAR_MORE", k >> 256 + 32 * i & 0xffffffff, i)

    async def put(self, slot, value):
        await self.words("DATA", value << self.up)
        return await self.write("COMMAND", DO["PUT"] | SLOT[slot] << 8)

    async def get(self, slot):
        await self.write("COMMAND", DO["GET"] | SLOT[slot] << 8)
        return sum([await self.read("DATA", i) << 32 * i for i in range(8)]) >> self.up

    async def curve(self, curve, generic, blind=0):
        m, steps = curve.m, curve.n.bit_length()
        self.up, self.blind = 256 - m if generic else 0, blind
        if generic:
            await self.write("CONFIG", 8 | steps << 8 | m << 16 | blind << 24)
            assert await self.put("POLY", curve.poly ^ 1 << m)
        else:
            await self.write("CONFIG", FIELDS.index(m) | steps << 8 | blind << 24)
        for slot, value in (("A", curve.a), ("B", curve.b), ("ROOT", curve.root)):
            assert await self.put(slot, value)

    async def run(self, k, point, command="START"):
        """(error, point or None, cycles)"""
        await self.put("X", point[0])
        await self.put("Y", point[1])
        await self.scalar(k)
        while not await self.read("STATUS") & BIT["READY"]:
            await ClockCycles(self.dut.clk, 5)
        assert await self.write("COMMAND", DO[command])
        await self.rest()
        error, status = await self.read("ERROR"), await self.read("STATUS")
        if error:
            return error, None, await self.read("CYCLES")
        got = None
        if not status & BIT["INFINITE"]:
            got = await self.get("RESULT_X"), await self.get("RESULT_Y")
        return 0, got, await self.read("CYCLES")


def curve_through(poly, a, x, y):
    """The curve with this a through a point. Its order is not needed: the ladder takes m + 1
    steps."""
    squared = model.multiply(x, x, poly)
    b = model.multiply(y, x ^ y, poly) ^ model.multiply(squared, x ^ a, poly)
    return model.Curve("", poly, a, b, (x, y), 1 << poly.bit_length() - 1)


async def sums(b, curve, how=None):
    """kP + lP for the cases of an addition; `how`: arguments (image, c, ...) of model.sum_cycles,
    to compare the cycles."""
    steps = curve.n.bit_length()
    for k, l in ((3, 5), (4, 4), (0, 6), (6, 0), (0, 0), (b.rng.getrandbits(steps - 1), 2)):
        for y in (curve.g[1], curve.g[0] ^ curve.g[1]):     # lP, and -lP
            point = curve.g[0], y
            first = curve.times(k, curve.g)
            assert (await b.run(k, curve.g))[:2] == (0, first)
            error, got, cycles = await b.run(l, point, "ADD")
            assert (error, got) == (0, curve.add(first, curve.times(l, point))), (k, l, y)
            if how and first:
                image, c, *rest = how
                assert cycles == model.sum_cycles(image, c, curve, *rest, steps=steps), cycles


async def begin(dut, kind=Bench):
    b = kind(dut)
    await b.start()
    return b
