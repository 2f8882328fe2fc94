"""Registers, the bus, and points of sect163r2."""
import os
import random
import re

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiResp

from bench import BIT, DO, ERR, HERE, SLOT, begin, model, registers


def named_cycles(table="Named fields"):
    """The cycles of a run for 163 bits, from a table of docs/accelerator.md."""
    with open(os.path.join(HERE, "../../docs/accelerator.md"), encoding="utf-8") as f:
        text = f.read().split("<!-- cycles: begin")[1]
    row = re.search(r"\| 163 \| any \| 55 \| 3 \| ([\d,]+)", text[text.index(table):])
    return int(row.group(1).replace(",", ""))


@cocotb.test()
async def registers_of_the_map(dut):
    b = await begin(dut)
    assert await b.read("IDENT") == registers.IDENT and await b.read("VERSION") == registers.VERSION
    names = {offset + 4 * i
             for _, offset, _, words, *_ in registers.REGISTERS for i in range(words)}
    for offset in range(0, 256, 4):
        response = await b.axi.read(offset, 4)
        readable = offset in names and not any(o <= offset < o + 4 * w and a == "WO"
                                               for _, o, a, w, *_ in registers.REGISTERS)
        assert (response.resp == AxiResp.OKAY) == readable, hex(offset)
    for name, _, access, *_ in registers.REGISTERS:
        if access == "RO":
            assert not await b.write(name, 0xffffffff), name
    assert await b.read("ERROR") == ERR["ADDRESS"]


@cocotb.test()
async def points(dut):
    b = await begin(dut)
    curve = model.curves()["sect163r2"]
    await b.curve(curve, False)
    error, got, cycles = await b.run(0x12345678, curve.g)
    assert (error, got) == (0, curve.times(0x12345678, curve.g))
    assert cycles == named_cycles(), cycles
    dut._log.info("sect163r2, k = 12345678: %d cycles", cycles)
    error, got, cycles = await b.run(77, curve.g, "ADD")
    assert (error, got) == (0, curve.times(0x12345678 + 77, curve.g))
    assert cycles == named_cycles("uG + vP"), cycles
    if os.environ.get("TONGYU_RTL_FULL"):
        assert (await b.run(curve.n, curve.g))[:2] == (0, None)
        assert (await b.run(5, (curve.g[0], curve.g[1] ^ 1)))[0] == ERR["POINT"]


@cocotb.test()
async def pauses_on_the_bus(dut):
    """Valid and ready pause at random, on each channel independently; reads and writes overlap."""
    b = await begin(dut)
    pause = random.Random(9)

    def pauses():
        while True:
            yield pause.randrange(3) == 0

    axi = b.axi
    for channel in (axi.write_if.aw_channel, axi.write_if.w_channel, axi.write_if.b_channel,
                    axi.read_if.ar_channel, axi.read_if.r_channel):
        channel.set_pause_generator(pauses())
    writes = [cocotb.start_soon(b.write("CONTEXT", i % 4)) for i in range(20)]
    reads = [cocotb.start_soon(b.read("IDENT")) for _ in range(20)]
    for task in writes:
        assert await task
    for task in reads:
        assert await task == registers.IDENT
    assert await b.read("CONTEXT") == 3
    curve = model.curves()["sect163r2"]
    await b.curve(curve, False)
    assert await b.put("X", curve.g[0])
    assert not await b.put("X", 1 << 163) and await b.read("ERROR") == ERR["RANGE"]


@cocotb.test()
async def busy_abort_reset(dut):
    b = await begin(dut)
    curve = model.curves()["sect163r2"]
    await b.curve(curve, False)
    await b.put("X", curve.g[0])
    await b.put("Y", curve.g[1])
    await b.words("SCALAR", 99)
    while not await b.read("STATUS") & BIT["READY"]:
        await ClockCycles(dut.clk, 5)
    await b.write("COMMAND", DO["START"])
    for name in ("DATA", "SCALAR", "CONTEXT", "CONFIG"):
        assert not await b.write(name, 1), name
        assert await b.read("ERROR") == ERR["BUSY"]
    assert not await b.write("COMMAND", DO["GET"] | SLOT["RESULT_X"] << 8)
    assert sum([await b.read("DATA", i) for i in range(8)]) == 0
    await b.write("COMMAND", DO["ABORT"])
    await b.rest()
    assert await b.read("ERROR") == ERR["ABORTED"]
    assert not await b.write("COMMAND", DO["START"]) and await b.read("ERROR") == ERR["OPERAND"]
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await b.rest()
    assert not await b.write("COMMAND", DO["START"]) and await b.read("ERROR") == ERR["CONTEXT"]
