"""The shim for Wishbone: registers, errors, reads that are abandoned, points of a toy curve."""
import cocotb
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

from bench import BIT, DO, ERR, REG, SLOT, Bench, begin, curve_through, registers, sums


class WishboneBench(Bench):
    sel = 15

    def connect(self):
        self.idle()

    def idle(self):
        for name in ("cyc", "stb", "we", "adr", "sel", "dat_w"):
            getattr(self.dut, f"wb_{name}").value = 0

    def ask(self, offset, value):
        dut = self.dut
        dut.wb_cyc.value = dut.wb_stb.value = 1
        dut.wb_adr.value, dut.wb_sel.value = offset, self.sel
        dut.wb_we.value, dut.wb_dat_w.value = value is not None, value or 0

    async def transfer(self, offset, value=None):
        """(acknowledged, data); the bus is idle after it."""
        dut = self.dut
        self.ask(offset, value)
        for _ in range(20):
            await ReadOnly()
            ack, err, data = int(dut.wb_ack.value), int(dut.wb_err.value), dut.wb_dat_r.value
            await RisingEdge(dut.clk)
            if ack or err:
                assert ack != err
                self.idle()
                return bool(ack), int(data) if value is None and ack else 0
        raise AssertionError(f"{offset:#x}: no answer")

    async def read(self, name, index=0):
        return (await self.transfer(REG[name] + 4 * index))[1]

    async def write(self, name, value, index=0):
        return (await self.transfer(REG[name] + 4 * index, value))[0]


@cocotb.test()
async def wishbone(dut):
    b = await begin(dut, WishboneBench)
    assert await b.read("IDENT") == registers.IDENT
    assert not (await b.transfer(0x80))[0] and not await b.write("STATUS", 1)
    assert await b.read("ERROR") == ERR["ADDRESS"]
    b.sel = 3
    assert not await b.write("CONTEXT", 2)
    b.sel = 15
    assert await b.read("CONTEXT") == 0
    assert await b.write("CONTEXT", 2) and await b.read("CONTEXT") == 2

    # A read that the host abandons before its answer, or just when it comes, is not acknowledged.
    for wait in (1, 2):
        b.ask(REG["IDENT"], None)
        await ClockCycles(dut.clk, wait)
        b.idle()
        await ReadOnly()
        assert not int(dut.wb_ack.value)
        await RisingEdge(dut.clk)
        assert await b.read("CONTEXT") == 2

    a, x, y = (b.rng.getrandbits(7) | 1 for _ in range(3))
    curve = curve_through(0x83, a, x, y)
    await b.curve(curve, False)
    for k in (0, 1, 2, 77, 255):
        error, got, _ = await b.run(k, curve.g)
        assert (error, got) == (0, curve.times(k, curve.g)), k
    await sums(b, curve)
    off = y ^ (2 if x == 1 else 1)     # (x, y) and (x, x + y) are the points with this x
    assert (await b.run(5, curve.g))[0] == 0
    assert (await b.run(5, (x, off), "ADD"))[0] == ERR["POINT"]
    assert not await b.write("COMMAND", DO["ADD"]) and await b.read("ERROR") == ERR["OPERAND"]
    assert (await b.run(5, (x, off)))[0] == ERR["POINT"]
    assert await b.write("INTERRUPT", 3)
    assert not int(dut.irq.value)
    assert await b.write("COMMAND", DO["ZEROISE"])


@cocotb.test()
async def abort_at_the_end(dut):
    """An ABORT in any of the last cycles of a run or a sum, or after it, leaves no result."""
    b = await begin(dut, WishboneBench)
    a, x, y = (b.rng.getrandbits(7) | 1 for _ in range(3))
    curve = curve_through(0x83, a, x, y)
    await b.curve(curve, False)
    cycles = (await b.run(9, curve.g))[2]
    both = (await b.run(4, curve.g, "ADD"))[2]
    for command, before, after in (("START", 0, cycles), ("ADD", cycles, both)):
        seen = set()
        for wait in range(after - before - 24, after - before + 2):
            if command == "ADD":
                assert (await b.run(9, curve.g))[0] == 0
            await b.put("X", x)
            await b.put("Y", y)
            await b.words("SCALAR", 9)
            while not await b.read("STATUS") & BIT["READY"]:
                await ClockCycles(dut.clk, 5)
            assert await b.write("COMMAND", DO[command])
            await ClockCycles(dut.clk, wait)
            await b.write("COMMAND", DO["ABORT"])
            await b.rest()
            assert not await b.read("STATUS") & BIT["RESULT"], wait
            for refused in (DO["GET"] | SLOT["RESULT_X"] << 8, DO["ADD"]):
                assert not await b.write("COMMAND", refused)
            assert sum([await b.read("DATA", i) for i in range(8)]) == 0
            seen.add(await b.read("CYCLES"))
        assert max(seen) >= after > min(seen), "before the end, and after it"


@cocotb.test()
async def known_answers(dut):
    """The known-answer test passes, refuses the host's writes, leaves nothing, and detects a wrong
    scalar."""
    b = await begin(dut, WishboneBench)
    core = dut.accel.core
    for refused, wrong, error in ((1, 0, "BUSY"), (0, 0, "NONE"), (0, 1, "FAULT")):
        assert await b.write("COMMAND", DO["SELFTEST"])
        assert await b.read("STATUS") & BIT["BUSY"]
        if refused:
            assert not await b.write("CONTEXT", 1)
        while int(core.state_q.value) != 5:      # until the run itself
            await RisingEdge(dut.clk)
        if wrong:
            core.key_q.value = int(core.key_q.value) ^ 1
        await b.rest()
        assert await b.read("ERROR") == ERR[error], error
        assert await b.read("CONTEXT") == 3
        assert not await b.write("COMMAND", DO["GET"] | SLOT["RESULT_X"] << 8)
        assert sum([await b.read("DATA", i) for i in range(8)]) == 0


@cocotb.test()
async def abort_of_the_test(dut):
    """After an ABORT at any point of the known-answer test the error is ABORTED, and nothing is
    left."""
    b = await begin(dut, WishboneBench)
    states = set()
    for wait in (0, 1, 2, 3, 37, 150, 300, 350, 400, 450, 480):
        assert await b.write("ERROR", 0)
        assert await b.write("COMMAND", DO["SELFTEST"])
        await ClockCycles(dut.clk, wait)
        assert await b.read("STATUS") & BIT["BUSY"], wait
        states.add(int(dut.accel.core.state_q.value))
        assert await b.write("COMMAND", DO["ABORT"])
        await b.rest()
        assert await b.read("ERROR") == ERR["ABORTED"], wait
        assert not await b.write("COMMAND", DO["GET"] | SLOT["RESULT_X"] << 8)
        assert sum([await b.read("DATA", i) for i in range(8)]) == 0
    assert len(states) > 1, "in a run, and between runs"
