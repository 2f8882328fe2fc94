"""The programs of tests/rtl, with other circuits or options than those of a release build: they are
built as tests/rtl/CMakeLists.txt says, and linked with the libraries of a release build."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))
NAMES = ("field", "generic", "device")
LIBRARIES = ("rtl/sim/libtongyu-sim.a", "libtongyu.a", "tests/libtest-support.a")
VERILATOR = "/usr/share/verilator/include"

# These run the device of libtongyu-sim.a, which is that of the release build unless build() gets
# `own`.
UNCHANGED = ("Device.AgreesWithTheLibraryOnEveryCurve", "Device.AddsOnEveryCurve",
             "Device.KnownAnswersOfEveryField",
             "Device.ScalarsByDefinition", "Device.PublishedPoints",
             "Generic.EveryCurveSquaringsOnTheMultiplier", "Generic.DensePolynomials",
             "Generic.NamedFieldsSquaringsOnTheMultiplier",
             "Generic.Cycles", "Generic.RefusesWhatIsWrong", "Generic.ACurveMadeAnewAtOneAddress")


def call(*args):
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
    if r.returncode:
        raise SystemExit(f"{' '.join(args)}\n{(r.stdout + r.stderr)[-6000:]}")
    return r.stdout


def sources():
    """The files of the circuits that tests/rtl has, in order; paths are relative to rtl/."""
    with open(os.path.join(ROOT, "rtl/files.f"), encoding="utf-8") as f:
        return [line.strip() for line in f if line.strip() and "_wb" not in line]


def build(name, work, files, release, pool, verilator=(), tops=(), more=(), own=False):
    """Builds WORK/NAME/test-rtl-NAME from the SystemVerilog `files`. Added are `verilator`,
    options of Verilator; `tops`, files for whole devices only; and `more`, C++ files. own: the
    device of libtongyu-sim.a is built in the same way, and is not that of the release build."""
    with open(os.path.join(ROOT, "tests/rtl/CMakeLists.txt"), encoding="utf-8") as f:
        lists = f.read()
    folder = os.path.join(work, name)
    shutil.rmtree(folder, ignore_errors=True)
    units = [n for n in files if re.search("field_pkg|gf2m", os.path.basename(n))]
    models = re.findall(rf"^model\({name} (\w+) (\w+)([^)]*)\)", lists, re.M)
    if own and any(top == "ty_accel" for _, top, _ in models):
        with open(os.path.join(ROOT, "rtl/sim/CMakeLists.txt"), encoding="utf-8") as f:
            models.append(("Vaccel", "ty_accel", " ".join(re.findall(r"-G\w+=\w+", f.read()))))
    folders = [os.path.join(folder, prefix) for prefix, _, _ in models]
    for one in folders:
        os.makedirs(one)
    list(pool.map(lambda model: call(
        "verilator", "--cc", "-Wall", "-O3", "--x-assign", "unique", "--x-initial", "unique",
        "--top", model[1], *model[2].split(), *verilator, "--prefix", model[0],
        "--Mdir", os.path.join(folder, model[0]),
        *(units if "gf2m" in model[1] else [*files, *tops])), models))
    include = [*folders, VERILATOR, VERILATOR + "/vltstd", "src", "tests", "include", "rtl/sim",
               os.path.join(release, "rtl/sim/CMakeFiles/tongyu-sim.dir/Vaccel.dir")]
    tests = re.search(rf"add_executable\(test-rtl-{name} ([^)]*)\)", lists)[1].split()
    paths = [os.path.join("tests/rtl", n) for n in tests] + [*more]
    for circuit in folders:   # one unit each: parsing Verilator's headers takes most of the time
        paths.append(circuit + ".cc")
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.writelines(f'#include "{circuit}/{n}"\n' for n in sorted(os.listdir(circuit))
                         if n.endswith(".cpp"))
    objects = [os.path.join(folder, os.path.basename(path) + ".o") for path in paths]
    coverage = int(any(option.startswith("--coverage") for option in verilator))
    macros = [f"VM_COVERAGE={coverage}", "VM_SC=0", "VM_TRACE=0", "VM_TRACE_FST=0"]
    list(pool.map(lambda pair: call(
        "g++", "-O1", "-std=gnu++17", *(f"-D{m}" for m in macros), *(f"-I{i}" for i in include),
        "-c", pair[0], "-o", pair[1]), zip(paths, objects)))
    call("g++", "-o", program(work, name), *objects,
         *(os.path.join(release, n) for n in LIBRARIES), "-lgtest_main", "-lgtest", "-lpthread",
         "-latomic")


def program(work, name):
    return os.path.join(work, name, f"test-rtl-{name}")


def tests_of(work, name):
    suite, found = "", []
    for line in call(program(work, name), "--gtest_list_tests").split("\n"):
        if line.startswith("  "):
            found.append(suite + line.split("#")[0].strip())
        elif line.endswith("."):
            suite = line
    return [test for test in found if test not in UNCHANGED]
