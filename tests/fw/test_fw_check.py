#!/usr/bin/env python3
"""tools/fw_check.py refuses small images that have one fault each, and accepts those without.

    tests/fw/test_fw_check.py        with the Python of build/fw-venv; `make fw` runs it
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-O1", "-g", "-fstack-usage",
         "-fno-builtin", "-fno-inline", "-nostdlib",
         f"-I{ROOT}/fw", f"-L{ROOT}/fw", "-T", "mps2_an386.ld", "-Wl,--gc-sections"]
# name: (source, expected output, exit status)
CASES = {
    "good": ("int main(void) { return 0; }", "stack of main", 0),
    "rng": ("typedef struct { int (*fill)(void *, int); void *ctx; } ty_rng;"
            "static int f(void *p, int n) { return p == 0 && n == 5; }"
            "__attribute__((noipa)) static int ask(const ty_rng *rng)"
            "{ return\n rng->fill(rng->ctx, 1); }"
            "int main(void) { const ty_rng r = { f, 0 }; return ask(&r); }",
            "1 calls of a ty_rng", 0),
    "table": ("static int f(int n) { return n - 5; } static int g(int n) { return n; }"
              "static volatile int which;"
              "typedef struct { int (*f)(int), (*g)(int); } ops;"
              "extern const ops table; const ops table = { f, g };"
              "__attribute__((noipa)) static int run(int n)"
              "{ const ops *volatile const unused = &table; (void)unused;"
              "return table.f(n) + (which ? table.g(n) : 0); }"
              "int main(void) { return run(5); }", "stack of main", 0),
    "heap": ("void *malloc(unsigned n); void *malloc(unsigned n) { return (char *)0 + n; }"
             "int main(void) { return malloc(5) == 0; }",
             "malloc: this function must not be in an image", 1),
    "stdio": ("int puts(const char *s); int puts(const char *s) { return *s == 5; }"
              "int main(void) { return puts(\"x\"); }",
              "puts: this function must not be in an image", 1),
    "pointer": ("static int f(int n) { return n - 5; } int (*volatile call)(int) = f;"
                "int main(void) { return call(5); }",
                "main: a call through a register", 1),
    "division": ("volatile int a = 6, b = 7; int main(void) { return a / b; }",
                 "main: a division", 1),
    "recursion": ("__attribute__((noipa)) int f(int n)"
                  "{ volatile int x = n; return n ? f(n - 1) + x - n : 0; }"
                  "int main(void) { return f(5); }", "recursion", 2),
    # a store below the stack pointer, which no instruction has moved
    "deeper": ("int main(void) { __asm__ volatile(\"str r0, [sp, #-200]\" ::: \"memory\");"
               "return 0; }",
               "main takes 200 bytes of stack in QEMU, and the call graph knows of 0", 1),
    "frame": ("volatile int n = 16; int main(void) { volatile char x[n]; x[0] = 0; return x[0]; }",
              "a frame whose size is not known", 2),
}


def build(folder, name, source):
    image = folder / name / "image.elf"
    image.parent.mkdir()
    (folder / name / "main.c").write_text(source + "\n", encoding="utf-8")
    subprocess.run(["arm-none-eabi-gcc", *FLAGS, "-o", image, folder / name / "main.c",
                    ROOT / "fw/start.c",
                    ROOT / "fw/libc.c", "-lgcc"], cwd=folder / name, check=True)
    return image


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, expected, status) in CASES.items():
            image = build(pathlib.Path(folder), name, source)
            done = subprocess.run([sys.executable, "-B", ROOT / "tools/fw_check.py", image],
                                  capture_output=True, text=True,
                                  cwd=image.parent, check=False)
            if done.returncode != status or expected not in done.stdout + done.stderr:
                wrong += 1
                print(f"{name}: {done.returncode} and not {status}: {done.stdout}{done.stderr}",
                      file=sys.stderr)
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/fw_check.py", image,
                               folder + "/good"], capture_output=True,
                              text=True, check=False)   # the frames of another program
        wrong += done.returncode == 0
    print(f"fw_check: {len(CASES)} images" +
          (f", {wrong} judged wrongly" if wrong else ", each judged as it should be"))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
