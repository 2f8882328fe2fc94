#!/usr/bin/env python3
"""The accelerator's register map, declared once: the SystemVerilog package, the driver's header,
the tables of docs/accelerator.md and the description in SystemRDL are made from it.

    registers.py --write    write these four files
    registers.py --check    check that they are up to date and, if a SystemRDL compiler and PeakRDL
                            are installed, that the compiler reads the same map and PeakRDL makes a
                            C header with the driver's masks
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
PACKAGE = os.path.join(ROOT, "rtl/regs/gen/ty_core_pkg.sv")
HEADER = os.path.join(ROOT, "src/accel/accel_const.h")
RDL = os.path.join(ROOT, "rtl/regs/gen/tongyu_accel.rdl")
DOCS = os.path.join(ROOT, "docs/accelerator.md")
BEGIN, END = "<!-- registers: begin (rtl/regs/registers.py) -->", "<!-- registers: end -->"

IDENT = 0x54594543    # "TYEC"
VERSION = 0x00000105

# name, offset, access, words, meaning, fields (name, low bit, bits, meaning)
REGISTERS = [
    ("IDENT", 0x00, "RO", 1, f"{IDENT:#010x}: this is the accelerator", []),
    ("VERSION", 0x04, "RO", 1, "Version of the core", [
        ("MINOR", 0, 8, "additions"), ("MAJOR", 8, 24, "changes that a driver has to know")]),
    ("PARAMETERS", 0x08, "RO", 1, "How the core was built", [
        ("FIELDS", 0, 8, "bit i: field i is built in (113, 131, 163, 193, 233, 239 bits)"),
        ("DIGIT", 8, 8, "bits of a digit of the multiplier"),
        ("SQUARINGS", 16, 2, "squarings a cycle"),
        ("CONTEXTS", 18, 4, "curves that it holds"),
        ("RANDOMISED", 22, 1, "coordinates are randomised"),
        ("CHECKED", 23, 1, "P is checked to be on the curve"),
        ("ADDRESSED", 24, 1, "the key bit chooses an address instead of steering a multiplexer"),
        ("TWO_MULTIPLIERS", 25, 1, "there are two multipliers, else one")]),
    ("STATUS", 0x0c, "RO", 1, "State of the core", [
        ("BUSY", 0, 1,
         "a run, a wipe or the test is going on; only ABORT, INTERRUPT and ERROR may be written"),
        ("READY", 1, 1, "the context is complete and randomness is there"),
        ("RESULT", 2, 1, "GET will give the result"),
        ("INFINITE", 3, 1, "the last result is the point at infinity; x and y are 0"),
        ("RANDOM", 4, 1, "the randomness of the next run is there"),
        ("LOCKED", 5, 1, "an illegal state was seen; only a reset helps"),
        ("SLOW", 6, 1,
         "the context's M has terms so close that a digit takes several steps of reduction, and a "
         "run takes that many times as long")]),
    ("ERROR", 0x10, "RW", 1,
     "The last error; any write clears it, and so does a START, ADD or SELFTEST that is accepted", [
         ("CODE", 0, 4, "see the errors below")]),
    ("CYCLES", 0x14, "RO", 1,
     "Cycles of the last run, from the accepted START to its end; those of an ADD are added to the "
     "cycles of the run before, unless its result was infinity", []),
    ("INTERRUPT", 0x18, "RW", 1, "The interrupt line is ENABLE and PENDING", [
        ("ENABLE", 0, 1, ""),
        ("PENDING", 1, 1,
         "a run or the test has ended and was not aborted, or the core is locked; writing 1 clears "
         "it")]),
    ("CONTEXT", 0x1c, "RW", 1,
     "The curve that other registers refer to; a write drops operands, scalar, randomness and "
     "result", [
         ("INDEX", 0, 2, "")]),
    ("CONFIG", 0x20, "RW", 1,
     "The context's field; a write drops its a, b, root and M, and operands, scalar, randomness "
     "and result", [
        ("FIELD", 0, 3, "number of the field, as in PARAMETERS"),
        ("GENERIC", 3, 1, "the field is given by DEGREE and M, and not by FIELD"),
        ("STEPS", 8, 8, "steps of the ladder: bits of the order of the generator"),
        ("DEGREE", 16, 8, "degree of M in generic mode"),
        ("BLIND", 24, 2,
         "words of 32 bits by which the scalar is longer; the ladder takes 32 more steps for "
         "each")]),
    ("OPTIONS", 0x28, "RO", 1, "How the core was built, continued", [
        ("GENERIC", 0, 8, "the largest degree of generic mode; 0: there is none"),
        ("SQUARER", 8, 1, "generic mode has a squarer"),
        ("DIVIDER", 9, 2, "1: a divider inverts in generic mode, 2: in named fields, too"),
        ("BLIND", 11, 2, "the largest BLIND that CONFIG may have"),
        ("SELFTEST", 13, 1, "the known-answer test is built in")]),
    ("COMMAND", 0x24, "WO", 1, "Executes a command", [
        ("CODE", 0, 4, "see the commands below"), ("SLOT", 8, 4, "see the slots below")]),
    ("DATA", 0x40, "RW", 8,
     "An element, least significant word first: what PUT takes and GET gives; "
     "what was written reads as 0", []),
    ("SCALAR", 0x60, "WO", 8,
     "k, least significant word first; all eight words have to be written, for every run", []),
    ("SCALAR_MORE", 0x80, "WO", 2,
     "The words of k from bit 256 on, as many as CONFIG's BLIND; they have to be written, too", []),
]
COMMANDS = [
    ("START", 1, "kP from x, y, the scalar and the context"),
    ("PUT", 2, "DATA goes to the slot"),
    ("GET", 3, "DATA comes from the slot"),
    ("ZEROISE", 4, "operands, scalar, randomness and result are wiped"),
    ("ABORT", 5, "the run or the test ends, and everything is wiped as by ZEROISE"),
    ("SELFTEST", 6,
     "the known-answer test of every field; ERROR has its outcome. Context 3 is overwritten and "
     "selected"),
    ("ADD", 7, "the last result + kP, otherwise as START"),
]
SLOTS = [("X", 0, "x of P"), ("Y", 1, "y of P"), ("A", 4, "a of the context"),
         ("B", 5, "b of the context"),
         ("ROOT", 6, "the square root of b"),
         ("POLY", 7, "M of a generic context without its first term"),
         ("RESULT_X", 8, "x of the result"), ("RESULT_Y", 9, "y of the result")]
ERRORS = [
    ("NONE", 0, "none"),
    ("BUSY", 1, "a write or command while a run was going on; it was ignored"),
    ("COMMAND", 2, "no such command or slot"),
    ("RANGE", 3, "an element of degree m or more, or an M that t divides"),
    ("SCALAR", 4,
     "the scalar has more bits than the ladder has steps; ZEROISE, and write operands and scalar "
     "again"),
    ("OPERAND", 5, "x, y or the scalar was not written"),
    ("CONTEXT", 6, "the context is not complete, or its field is not built in"),
    ("RANDOM", 7,
     "the random port has not delivered yet, or not in 16,384 cycles of waiting in the "
     "known-answer test, all fields together"),
    ("POINT", 8, "P is not on the curve"),
    ("FAULT", 9,
     "the result is not on the curve, or not that of the known-answer test: the machine failed"),
    ("RESULT", 10, "there is no result to read or to add to"),
    ("ABORTED", 11, "the run or the test was aborted"),
    ("LOCKED", 12, "an illegal state was seen; only a reset helps"),
    ("ADDRESS", 13, "a write to no register, to one that is read only, or of a part of a word"),
]


def package():
    out = ["// Generated by rtl/regs/registers.py: what the core and its host interfaces share.",
           "package ty_core_pkg;",
           f"  localparam logic [31:0] IDENT = 32'h{IDENT:08x};",
           f"  localparam logic [31:0] VERSION = 32'h{VERSION:08x};", ""]
    for name, offset, _, words, _, _ in REGISTERS:
        out.append(f"  localparam logic [7:0] REG_{name} = 8'h{offset:02x};" +
                   (f"  // {words} words" if words > 1 else ""))
    for prefix, kind, rows in (("CMD", "cmd", [("NONE", 0, "")] + COMMANDS),
                               ("SLOT", "slot", SLOTS), ("ERR", "err", ERRORS)):
        out += ["", "  typedef enum logic [3:0] {"]
        out += [f"    {prefix}_{n} = 4'd{v}" + ("," if i + 1 < len(rows) else "")
                for i, (n, v, _) in enumerate(rows)]
        out += [f"  }} {kind}_t;"]
    config = next(fields for name, *_, fields in REGISTERS if name == "CONFIG")
    out += ["", "  // The fields of CONFIG.", "  typedef struct packed {"]
    out += [f"    logic [{bits - 1}:0] {name.lower()};"
            if bits > 1 else f"    logic {name.lower()};"
            for name, _, bits, _ in reversed(config)]
    out += ["  } config_t;", "",
            "  // What a host gives the core in a cycle: a write or a command, or nothing.",
            "  typedef struct packed {", "    logic data_we;", "    logic key_we;",
            "    logic key_manager;",
            "    logic [3:0] write_index;",
            "    logic [31:0] word_data;", "    logic context_we;", "    logic [1:0] context_in;",
            "    logic config_we;",
            "    config_t config_in;", "    logic cmd_valid;", "    logic [3:0] cmd;",
            "    logic [3:0] slot;",
            "  } host_t;"]
    return "\n".join(out + ["endpackage", ""])


def header():
    out = ["/* Generated by rtl/regs/registers.py: the accelerator's registers. */",
           "#ifndef TY_ACCEL_CONST_H", "#define TY_ACCEL_CONST_H", "",
           f"#define TY_ACCEL_IDENT_VALUE 0x{IDENT:08x}u",
           f"#define TY_ACCEL_MAJOR {VERSION >> 8}u", ""]
    for name, offset, _, _, _, fields in REGISTERS:
        out.append(f"#define TY_ACCEL_{name} 0x{offset:02x}u")
        for field, low, bits, _ in fields:
            out.append(f"#define TY_ACCEL_{name}_{field}_SHIFT {low}u")
            out.append(f"#define TY_ACCEL_{name}_{field}_MASK 0x{(1 << bits) - 1:x}u")
    for prefix, rows in (("DO", COMMANDS), ("SLOT", SLOTS), ("E", ERRORS)):
        out.append("")
        out += [f"#define TY_ACCEL_{prefix}_{n} {v}u" for n, v, _ in rows]
    return "\n".join(out + ["", "#endif", ""])


# The access of software and hardware to a register, and the fields in which a write does not store
# the value.
RDL_ACCESS = {"RO": "sw = r; hw = w;", "RW": "sw = rw; hw = rw;", "WO": "sw = w; hw = r;"}
RDL_WRITES = {("ERROR", "CODE"): "onwrite = wclr;", ("INTERRUPT", "PENDING"): "onwrite = woclr;"}
RDL_ENUMS = {("ERROR", "CODE"): "error_e", ("COMMAND", "CODE"): "command_e",
             ("COMMAND", "SLOT"): "slot_e"}


def rdl():
    out = ["// Generated by rtl/regs/registers.py: the accelerator's registers in SystemRDL 2.0."]
    for name, rows in (("command_e", COMMANDS), ("slot_e", SLOTS), ("error_e", ERRORS)):
        out += ["", f"enum {name} {{"]
        out += [f'  {n} = 4\'d{v} {{ desc = "{meaning}"; }};' for n, v, meaning in rows] + ["};"]
    out += ["", "addrmap tongyu_accel {",
            '  name = "Accelerator for point multiplication on binary curves";',
            "  default regwidth = 32;", "  default accesswidth = 32;"]
    for name, offset, access, words, meaning, fields in REGISTERS:
        out += ["", "  reg {", f'    desc = "{meaning}";']
        for field, low, bits, what in fields or [("VALUE", 0, 32, "")]:
            more = [f'desc = "{what}";'] if what else []
            more += [RDL_WRITES[name, field]] if (name, field) in RDL_WRITES else []
            more += [f"encode = {RDL_ENUMS[name, field]};"] if (name, field) in RDL_ENUMS else []
            properties = " ".join([RDL_ACCESS[access]] + more)
            out.append(f"    field {{ {properties} }} {field}[{low + bits - 1}:{low}];")
        where = f"[{words}] @ 0x{offset:02x} += 4;" if words > 1 else f" @ 0x{offset:02x};"
        out.append(f"  }} {name}{where}")
    return "\n".join(out + ["};", ""])


def read_back():
    """(name, offset, access, words, fields without meanings) of each register, as a compiler reads
    them."""
    import systemrdl
    compiler = systemrdl.RDLCompiler()
    compiler.compile_file(RDL)
    found = []
    for reg in compiler.elaborate().top.registers(unroll=False):
        fields = [(f.inst_name, f.low, f.width) for f in reg.fields()]
        access = {(True, False): "RO", (True, True): "RW", (False, True): "WO"}
        found.append((reg.inst_name, reg.raw_address_offset,
                      access[reg.has_sw_readable, reg.has_sw_writable],
                      reg.array_dimensions[0] if reg.is_array else 1,
                      [] if fields == [("VALUE", 0, 32)] else fields))
    return found


def check_rdl():
    try:
        found = read_back()
    except ImportError:
        print("registers: skipped SystemRDL: no compiler (tools/setup.sh rtl)")
        return
    stated = [(name, offset, access, words, [f[:3] for f in fields])
              for name, offset, access, words, _, fields in sorted(REGISTERS, key=lambda r: r[1])]
    if found != stated:
        raise SystemExit(f"{RDL}: a SystemRDL compiler reads a different map:\n{found}\n{stated}")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "accel.h")
        subprocess.run([sys.executable, "-m", "peakrdl", "c-header", RDL, "-o", made], check=True)
        with open(made, encoding="utf-8") as f:
            theirs = f.read()
    with open(HEADER, encoding="utf-8") as f:
        ours = dict(re.findall(r"#define TY_ACCEL_(\w+) (0x[0-9a-f]+|\d+)u", f.read()))
    compared = 0
    for name, offset, _, words, _, fields in REGISTERS:
        declared = name if words == 1 else rf"{name}\[{words}\]"
        where = re.search(rf"(?m)^ {{4}}\S+ {declared};", theirs)
        if not where or int(ours[name], 0) != offset:
            raise SystemExit(f"registers: PeakRDL's header differs in {name}")
        for field, low, bits, _ in fields:
            theirs_is = [int(re.search(rf"(?m)^#define \S*__{name}__{field}_{kind} (\w+)$",
                                       theirs).group(1), 0)
                         for kind in ("bm", "bp", "bw")]
            ours_is = int(ours[f"{name}_{field}_MASK"], 0) << int(ours[f"{name}_{field}_SHIFT"], 0)
            if theirs_is != [ours_is, low, bits]:
                raise SystemExit(f"registers: PeakRDL's header differs in {name}.{field}")
            compared += 1
    print(f"registers: {len(found)} registers and {compared} fields are the same in SystemRDL and "
          "PeakRDL's header")


def tables():
    out = ["| offset | register | access | meaning |", "|---|---|---|---|"]
    for name, offset, access, words, meaning, _ in REGISTERS:
        where = (f"0x{offset:02x}" if words ==
                 1 else f"0x{offset:02x} to 0x{offset + 4 * words - 4:02x}")
        out.append(f"| {where} | {name} | {access} | {meaning} |")
    for name, _, _, _, _, fields in REGISTERS:
        if fields:
            out += ["", f"**{name}**", "", "| bits | field | meaning |", "|---|---|---|"]
            for field, low, bits, meaning in fields:
                out.append(f"| {low + bits - 1}:{low} | {field} | {meaning} |"
                           if bits > 1 else f"| {low} | {field} | {meaning} |")
    for title, rows in (("Commands", COMMANDS), ("Slots", SLOTS), ("Errors", ERRORS)):
        out += ["", f"**{title}**", "", "| number | name | meaning |", "|---|---|---|"]
        out += [f"| {v} | {n} | {meaning} |" for n, v, meaning in rows]
    return "\n".join(out)


def wanted():
    with open(DOCS, encoding="utf-8") as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    page = before + BEGIN + "\n" + tables() + "\n" + END + rest.split(END)[1]
    return {PACKAGE: package(), HEADER: header(), RDL: rdl(), DOCS: page}


def main():
    for path, text in wanted().items():
        if "--write" in sys.argv:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            continue
        with open(path, encoding="utf-8") as f:
            if f.read() != text:
                raise SystemExit(f"{os.path.relpath(path, ROOT)} is not what registers.py gives: "
                                 "run rtl/regs/registers.py --write")
    if "--write" not in sys.argv:
        check_rdl()
    return 0


if __name__ == "__main__":
    sys.exit(main())
