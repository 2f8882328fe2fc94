#!/usr/bin/env python3
"""Proofs about the circuits, for all inputs, by yosys.

- every named field's reduction (from the multiplier's width, D = 55 and 82) and its squarer equal
  their definition by products with t, one shift at a time;
- one digit of a product: reduce(step(x, a, digit)) = t^D x + a * digit in the field, bit-serial
  (D = 4; all six fields), from which whole products follow by induction over the digits;
- generic mode, for every M': a fold is low + high M', and removes all that is above t^N where m - k
  >= D, so that a digit is right for every such M (N = 8, D = 3).

Each definition below is written without the circuit's own modules.

    prove.py [--broken]     --broken: the proofs over circuits with one wrong XOR, which have to
                            fail
"""
import os
import subprocess
import sys
import tempfile

RTL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FIELDS = {113: (9,), 131: (8, 3, 2), 163: (7, 6, 3), 193: (15,), 233: (74,), 239: (158,)}


def shift(m, ks, v):
    """v t mod M, as a Verilog expression"""
    low = f"({m}'d1" + "".join(f" | ({m}'d1 << {k})" for k in ks) + ")"
    return f"({{{v}[{m - 2}:0], 1'b0}} ^ ({v}[{m - 1}] ? {low} : {m}'d0))"


def reduction(m, ks, w):
    k = (ks + (0, 0))[:3]
    return f"""
module top(input [{w - 1}:0] x, output same);
  wire [{m - 1}:0] y;
  ty_gf2m_reduce #(.M({m}), .K1({k[0]}), .K2({k[1]}), .K3({k[2]}), .W({w})) dut (.x(x), .y(y));
  reg [{m - 1}:0] r;
  integer i;
  always @* begin
    r = 0;
    for (i = {w - 1}; i >= 0; i = i - 1) r = {shift(m, ks, "r")} ^ x[i];
  end
  assign same = y == r;
endmodule
"""


def squaring(m, ks):
    k = (ks + (0, 0))[:3]
    return f"""
module top(input [{m - 1}:0] x, output same);
  wire [{m - 1}:0] y;
  ty_gf2m_sqr #(.M({m}), .K1({k[0]}), .K2({k[1]}), .K3({k[2]})) dut (.x(x), .y(y));
  reg [{m - 1}:0] r;
  integer i;
  always @* begin
    r = 0;
    for (i = {2 * m - 2}; i >= 0; i = i - 1)
      r = {shift(m, ks, "r")} ^ (i % 2 == 0 ? x[i / 2] : 1'b0);
  end
  assign same = y == r;
endmodule
"""


def step(m, ks, d):
    k = (ks + (0, 0))[:3]
    return f"""
module top(input [{m - 1}:0] x, input [{m - 1}:0] a, input [{d - 1}:0] digit, output same);
  wire [{m + d - 1}:0] s;
  wire [{m - 1}:0] y;
  ty_gf2m_step #(.M({m}), .D({d})) dut (.x(x), .a(a), .digit(digit), .y(s));
  ty_gf2m_reduce #(.M({m}), .K1({k[0]}), .K2({k[1]}), .K3({k[2]}), .W({m + d}))
    reduce (.x(s), .y(y));
  reg [{m - 1}:0] r;
  integer i;
  always @* begin
    r = x;
    for (i = {d - 1}; i >= 0; i = i - 1) r = {shift(m, ks, "r")} ^ (digit[i] ? a : {m}'d0);
  end
  assign same = y == r;
endmodule
"""


def generic_digit(n, d):
    """For every M' whose upper d - 1 bits are 0: step and fold equal t^d x + a * digit, by single
    shifts."""
    return f"""
module top(input [{n - 1}:0] x, input [{n - 1}:0] a, input [{d - 1}:0] digit,
           input [{n - 1}:0] any, output same);
  wire [{n - 1}:0] poly = any >> {d - 1};
  wire [{n + d - 1}:0] s, y;
  ty_gf2m_step #(.M({n}), .D({d})) step (.x(x), .a(a), .digit(digit), .y(s));
  ty_gf2m_fold #(.N({n}), .D({d})) fold (.x(s), .poly(poly), .y(y));
  reg [{n - 1}:0] r;
  integer i;
  always @* begin
    r = x;
    for (i = {d - 1}; i >= 0; i = i - 1)
      r = ({{r[{n - 2}:0], 1'b0}} ^ (r[{n - 1}] ? poly : {n}'d0)) ^ (digit[i] ? a : {n}'d0);
  end
  assign same = y == {{{d}'d0, r}};
endmodule
"""


def jobs():
    yield "a digit of generic mode", generic_digit(8, 3)
    for m, ks in FIELDS.items():
        for d in (55, 82):
            yield f"reduction {m} from {m + d} bits", reduction(m, ks, m + d)
        yield f"squaring {m}", squaring(m, ks)
        yield f"digit of 4 bits, {m}", step(m, ks, 4)


def prove(text, sources):
    with tempfile.TemporaryDirectory() as folder:
        top = os.path.join(folder, "top.v")
        with open(top, "w", encoding="utf-8") as f:
            f.write(text)
        script = (f"read_verilog -sv {' '.join(sources)} {top}; prep -flatten -top top; opt -full; "
                  "sat -verify -prove same 1 -timeout 120 top")
        return subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True,
                              check=False)


def main():
    names = ["ty_gf2m_reduce.sv", "ty_gf2m_sqr.sv", "ty_gf2m_step.sv", "ty_gf2m_fold.sv"]
    sources = [os.path.join(RTL, "src", n) for n in names]
    if "--broken" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            broken = []
            for path, old, new in zip(sources,
                                      ("(high << K1)", "spread_out[2*i] = v[i]", "<< j)", "<< j)"),
                                      ("(high << (K1 + 1))", "spread_out[2*i+(i==5?1:0)] = v[i]",
                                       "<< (j ^ (j == 1 ? 2 : 0)))",
                                       "<< (j ^ (j == 1 ? 2 : 0)))")):
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                if text.count(old) != 1:
                    raise SystemExit(f"prove: {old} does not occur exactly once in {path}")
                broken.append(os.path.join(folder, os.path.basename(path)))
                with open(broken[-1], "w", encoding="utf-8") as f:
                    f.write(text.replace(old, new))
            m, ks = 163, FIELDS[163]
            cases = [("reduction", reduction(m, ks, m + 55), [broken[0]]),
                     ("squaring", squaring(m, ks), [sources[0], broken[1]]),
                     ("digit", step(m, ks, 4), [sources[0], broken[2]]),
                     ("digit of generic mode", generic_digit(8, 3), [sources[2], broken[3]])]
            for name, text, files in cases:
                r = prove(text, files)
                if "proof did fail" not in r.stdout + r.stderr:
                    raise SystemExit(f"prove: a broken {name} was not refused: "
                                     f"{r.stdout}{r.stderr}")
            print(f"prove: {len(cases)} broken circuits refused")
        return 0
    count = 0
    for name, text in jobs():
        r = prove(text, sources)
        if r.returncode:
            print(f"prove: {name}: not proved\n{r.stdout}{r.stderr}")
            return 1
        count += 1
        print(f"prove: {name}", flush=True)
    print(f"prove: {count} statements hold for all inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
