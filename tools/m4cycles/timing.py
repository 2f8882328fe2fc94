"""The cost of a basic block on a Cortex-M4 by published tables. README.md has the rules and their
sources."""
from dataclasses import dataclass

from capstone import arm

# cycles to refill the pipeline, 1 to 3, by how late the target is known
REFILL = {"direct": 1, "register": 2, "load": 3}
LONG_FP = {"vdiv": 14, "vsqrt": 14, "vmla": 3, "vmls": 3, "vnmla": 3, "vnmls": 3,
           "vfma": 3, "vfms": 3, "vfnma": 3, "vfnms": 3}
FP_MATHS = ("vadd", "vsub", "vmul", "vnmul", "vcvt", *LONG_FP)
MANY = {arm.ARM_INS_PUSH, arm.ARM_INS_POP, arm.ARM_INS_LDM, arm.ARM_INS_LDMDB, arm.ARM_INS_STM,
        arm.ARM_INS_STMDB}
ONLY_FLAGS = {arm.ARM_INS_CMP, arm.ARM_INS_CMN, arm.ARM_INS_TST, arm.ARM_INS_TEQ, arm.ARM_INS_NOP}


@dataclass
class Op:
    """One instruction, as far as its time is concerned."""
    address: int
    size: int
    kind: str = "data"              # data, load and store of one register, memory (all other), it
    cycles: int = 1
    writes: tuple = ()
    address_from: tuple = ()        # registers of its address
    stores: int = 0                 # the register of a single store
    indexed: bool = False           # the offset is a register
    conditional: bool = False
    refill: str = ""                # of a branch: where its target comes from, a key of REFILL
    fp: bool = False
    fp_reads: tuple = ()
    fp_load: bool = False
    divides: tuple = ()             # dividend, divisor, signed

    @property
    def memory(self):
        return self.kind in ("load", "store", "memory")


def vector(op, name, regs, operands):
    """Instructions of the FPU."""
    if name.startswith(("vldm", "vstm", "vpush", "vpop")):
        words = sum(1 if arm.ARM_REG_S0 <= r <= arm.ARM_REG_S31 else 2 for r in regs
                    if arm.ARM_REG_S0 <= r <= arm.ARM_REG_S31
                    or arm.ARM_REG_D0 <= r <= arm.ARM_REG_D31)
        op.kind, op.cycles = "memory", 1 + words
    elif name.startswith(("vldr", "vstr")):
        op.kind, op.cycles = "memory", 3 if arm.ARM_REG_D0 <= regs[0] <= arm.ARM_REG_D31 else 2
        op.address_from, op.fp_load = (operands[1].mem.base,), name.startswith("vldr")
    else:
        if name.startswith("vmov") and len(regs) > 2:
            op.cycles = 2
        op.cycles = next((c for n, c in LONG_FP.items() if name.startswith(n)), op.cycles)
        op.fp, op.writes, op.fp_reads = name.startswith(FP_MATHS), tuple(regs[:1]), tuple(regs[1:])
    return op


def transfer(op, code, name, regs):
    """LDR and STR of one register or two, PUSH, LDM and their like."""
    memory = [o.mem for o in code.operands if o.type == arm.ARM_OP_MEM]
    if code.id in MANY:
        listed = regs if code.id in (arm.ARM_INS_PUSH, arm.ARM_INS_POP) else regs[1:]
        op.kind, op.cycles = "memory", 1 + len(listed)
        op.address_from = tuple(regs[:len(regs) - len(listed)])
        if arm.ARM_REG_PC in listed and code.id in (arm.ARM_INS_POP, arm.ARM_INS_LDM,
                                                    arm.ARM_INS_LDMDB):
            op.refill = "load"
        return op
    op.address_from = tuple(r for m in memory for r in (m.base, m.index) if r)
    op.indexed = any(m.index for m in memory)
    if code.id in (arm.ARM_INS_LDRD, arm.ARM_INS_STRD):
        op.kind, op.cycles = "memory", 3
    elif name.startswith("ldr"):
        op.kind, op.cycles, op.writes = "load", 2, (regs[0],)
        if regs[0] == arm.ARM_REG_PC:
            op.kind, op.refill = "memory", "load"
    else:
        op.kind, op.cycles, op.stores = "store", 2 if op.indexed else 1, regs[0]
    return op


def describe(code):
    """A capstone instruction as an Op."""
    name = code.mnemonic.split(".")[0]
    regs = [o.reg for o in code.operands if o.type == arm.ARM_OP_REG]
    op = Op(code.address, code.size)
    if code.id == arm.ARM_INS_IT:
        op.kind = "it"
        return op
    op.conditional = code.cc not in (arm.ARM_CC_AL, arm.ARM_CC_INVALID)
    if name.startswith("v"):
        return vector(op, name, regs, code.operands)
    if code.id in (arm.ARM_INS_B, arm.ARM_INS_BL):
        op.refill = "direct"
    elif code.id in (arm.ARM_INS_CBZ, arm.ARM_INS_CBNZ):
        op.refill, op.conditional = "direct", True
    elif code.id in (arm.ARM_INS_BX, arm.ARM_INS_BLX):
        op.refill = "register" if regs else "direct"
    elif code.id in (arm.ARM_INS_TBB, arm.ARM_INS_TBH):
        op.refill, op.cycles = "load", 3
    elif code.id in MANY or name.startswith(("ldr", "str")):
        return transfer(op, code, name, regs)
    elif code.id in (arm.ARM_INS_SDIV, arm.ARM_INS_UDIV):
        op.cycles, op.writes, op.divides = (2, (regs[0],),
                                            (regs[-2], regs[-1], code.id == arm.ARM_INS_SDIV))
    elif code.id == arm.ARM_INS_ISB:
        op.cycles = 4
    elif regs and regs[0] == arm.ARM_REG_PC and code.id in (arm.ARM_INS_MOV, arm.ARM_INS_ADD):
        op.refill = "register"
    elif code.id not in ONLY_FLAGS:
        op.writes = tuple(code.regs_access()[1])
    return op


def cost(op, before):
    """Cycles of an instruction after another, which may be None."""
    if op.kind == "it":
        return 0 if before is not None and before.size == 2 else 1
    if op.conditional and (op.memory or op.cycles > 1):
        return 1   # the rest is added where it executes
    cycles = op.cycles
    loaded = before is not None and before.kind == "load" and not before.conditional
    stored = before is not None and before.kind == "store" and not before.conditional
    waits = before is not None and any(r in op.address_from for r in before.writes)
    if op.kind == "load" and loaded and not waits:
        cycles = 1
    elif op.kind == "store" and loaded and not waits:
        cycles = 1 if op.indexed or op.stores in before.writes else 0
    if stored and (op.kind == "load" or op.fp_load):
        cycles += 1
    if op.memory and before is not None and before.kind == "data" and waits:
        cycles += 1
    if before is not None and before.fp and any(r in op.fp_reads for r in before.writes):
        cycles += 1
    return cycles


def block(ops):
    """(cycles with the last branch not taken, cycles more if it is, whether it always is)"""
    cycles, before = 0, None
    for op in ops:
        cycles += cost(op, before)
        before = op
    last = ops[-1]
    taken = REFILL[last.refill] if last.refill else 0
    if last.refill and last.conditional and last.kind == "memory":
        taken += last.cycles - 1
    return cycles, taken, bool(last.refill) and not last.conditional
