#!/usr/bin/env python3
"""The packages for other build systems, built by Debian's compiler for a Cortex-M4 and run in QEMU:

    tests/fw/test_packages.py [platformio|zephyr|pqm4 ...]    by default all; with the Python of
                                                              build/fw-venv, as `make fw` runs it

platformio  the package that `pio pkg pack` makes: its sources as PlatformIO's own filter chooses
            them, and the self-test
zephyr      zephyr/Kconfig is parsed, and zephyr/CMakeLists.txt built through the shim of
            tests/fw/zephyr; never run under Zephyr
pqm4        the folders that compat/pqm4/install.sh writes, through NIST's interface
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import kconfiglib
import yaml
from platformio.fs import match_src_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/fw-packages"
CORE = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
OURS = ["-fno-builtin", "-fno-tree-loop-distribute-patterns"]   # else fw/libc.c would call itself
LINK = ["-nostdlib", f"-L{ROOT}/fw", "-T", "mps2_an386.ld", "-Wl,--gc-sections,-z,noexecstack"]
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting-config",
        "enable=on,target=native", "-kernel"]


class Wrong(Exception):
    """An error in a package; the argument is the message."""


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          **more)
    if done.returncode:
        raise Wrong(f"{command[0]} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def in_qemu(image, expected):
    done = subprocess.run([*QEMU, image], capture_output=True, stdin=subprocess.DEVNULL, text=True,
                          timeout=300, check=False)
    output = done.stdout + done.stderr
    if done.returncode or expected not in output:
        raise Wrong(f"{image}: QEMU ends with {done.returncode}: {output}")


def build(image, flags, sources, board=()):
    """image = the sources with start.c and libc.c of fw/, each compiled to an object of its own"""
    folder = image.parent
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(s, []) for s in sources] + [(ROOT / "fw/start.c", OURS), (ROOT / "fw/libc.c", OURS)]
    objects = [folder / f"{i}.o" for i in range(len(jobs))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job, out: run("arm-none-eabi-gcc", *CORE, *flags, *job[1], *board,
                                           "-c", job[0], "-o", out), jobs, objects))
    run("arm-none-eabi-gcc", *CORE, *LINK, *objects, "-lgcc", "-o", image)
    symbols = run("arm-none-eabi-nm", image)
    if "ty_keccak_rounds_m4" not in symbols or "ty_q_ntt_c" in symbols:
        raise Wrong(f"{image}: without a flag it should contain the tier m4 alone")


def test_platformio():
    work = WORK / "platformio"
    work.mkdir()
    manifest = json.loads((ROOT / "library.json").read_text(encoding="utf-8"))
    # pio reads the whole folder, and build folders are large
    for name in ["library.json", *manifest["export"]["include"]]:
        whole, copy = ROOT / name, work / "tree" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if whole.is_dir():
            shutil.copytree(whole, copy)
        else:
            shutil.copy(whole, copy)
    run(pathlib.Path(sys.executable).parent / "pio", "pkg", "pack", work / "tree", "-o",
        work / "package.tar.gz",
        env={**os.environ, "PLATFORMIO_CORE_DIR": str(work / "core"),
             "PLATFORMIO_SETTING_ENABLE_TELEMETRY": "no"})
    with tarfile.open(work / "package.tar.gz") as packed:
        packed.extractall(work / "tongyu")
    manifest = json.loads((work / "tongyu/library.json").read_text(encoding="utf-8"))
    header = (work / "tongyu/include/tongyu/base.h").read_text(encoding="utf-8")
    if manifest["version"] != re.search(r'TY_VERSION_STRING "(.*)"', header)[1]:
        raise Wrong("library.json has another version than tongyu/base.h")
    for name in manifest["headers"]:
        if not (work / "tongyu/include" / name).exists():
            raise Wrong(f"library.json names {name}, which the package lacks")
    made = manifest["build"]
    source = work / "tongyu" / made["srcDir"]
    sources = [source / s for s in match_src_files(str(source), made["srcFilter"], ["c", "S"])]
    flags = ["-Os", "-ffunction-sections", "-fdata-sections", f"-I{source}",
             f"-I{work}/tongyu/{made['includeDir']}"]
    build(work / "out/selftest.elf", flags, [*sources, ROOT / "fw/selftest.c"], [f"-I{ROOT}/fw"])
    in_qemu(work / "out/selftest.elf", "selftest: passed")
    return f"{len(sources)} sources of the package, the self-test passes"


def configured(**values):
    """(zephyr/Kconfig with these values, its warnings)"""
    kconfig = kconfiglib.Kconfig(str(ROOT / "zephyr/Kconfig"), warn_to_stderr=False)
    for name, value in values.items():
        kconfig.syms[name].set_value(value)
    return kconfig, list(kconfig.warnings)


def test_zephyr():
    module = yaml.safe_load((ROOT / "zephyr/module.yml").read_text(encoding="utf-8"))
    places = [ROOT / module["build"]["cmake"] / "CMakeLists.txt", ROOT / module["build"]["kconfig"]]
    if module["name"] != "tongyu" or not all(p.exists() for p in places):
        raise Wrong("zephyr/module.yml does not describe the module")
    lean = (ROOT / "src/mldsa/lean_ram.h").read_text(encoding="utf-8")
    # the least budgets are those of the library; with the greatest ones it keeps everything
    for largest, most in (("44", "32768"), ("65", "49152"), ("87", "79872")):
        least = re.search(rf"TY_LEAN_LEAST_{largest} (\d+)", lean)[1]
        for asked, got in (("1000", least), ("20000", "20000"), (most, most)):
            kconfig, _ = configured(TONGYU="y", **{f"TONGYU_MLDSA_LARGEST_{largest}": "y"},
                                    TONGYU_MLDSA_RAM=asked)
            if kconfig.syms["TONGYU_MLDSA_RAM"].str_value != got:
                raise Wrong(f"zephyr/Kconfig: {asked} bytes for ML-DSA-{largest} become "
                            f"{kconfig.syms['TONGYU_MLDSA_RAM'].str_value}")
    kconfig, complaints = configured(TONGYU="y", TONGYU_MLDSA_LARGEST_44="y",
                                     TONGYU_MLDSA_RAM="16384")
    if complaints:
        raise Wrong("\n".join(complaints))
    work = WORK / "zephyr"
    work.mkdir()
    kconfig.write_config(str(work / "config"), save_old=False)
    # a checkout whose own path looks like a folder that is left out
    checkout = work / "src/os/tongyu"
    checkout.parent.mkdir(parents=True)
    checkout.symlink_to(ROOT)
    flags = " ".join([*CORE, "-Os -ffunction-sections -fdata-sections "
                      "-fno-tree-loop-distribute-patterns -fstack-usage"])
    run("cmake", "-S", ROOT / "tests/fw/zephyr", "-B", work / "out", "-G", "Ninja",
        f"-DTONGYU={checkout}", f"-DCONFIG={work}/config",
        "-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
        "-DCMAKE_C_COMPILER=arm-none-eabi-gcc",
        "-DCMAKE_ASM_COMPILER=arm-none-eabi-gcc", f"-DCMAKE_C_FLAGS={flags}",
        f"-DCMAKE_ASM_FLAGS={flags}")
    run("cmake", "--build", work / "out")
    in_qemu(work / "out/budget.elf", "budget: passed")
    frames = "".join(p.read_text(encoding="utf-8") for p in (work / "out").rglob("*lean_sign*.su"))
    frame = int(re.search(r":sign_44\t(\d+)", frames)[1])
    # the budget of the configuration reached the library: it keeps the challenge and 13 of A's 16
    # polynomials
    if not 736 * 4 + 10000 < frame < 16384:
        raise Wrong(f"zephyr: signing has a frame of {frame} bytes")
    return "Kconfig is parsed, the library built by the shim signs in 16 KB; never run under Zephyr"


def test_pqm4():
    run(ROOT / "compat/pqm4/install.sh", WORK / "pqm4")
    for which in ("ml-dsa-44/tongyu", "ml-dsa-65/tongyu-stack", "ml-dsa-87/tongyu-stack"):
        folder = WORK / "pqm4/crypto_sign" / which
        flags = ["-O3", "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-ffunction-sections",
                 "-fdata-sections", f"-I{folder}",
                 f"-I{ROOT}/tests/fw/pqm4", f"-I{ROOT}/fw"]
        sources = [*folder.glob("*.c"), *folder.glob("*.S"), ROOT / "tests/fw/pqm4/main.c"]
        image = WORK / "pqm4" / which.replace("/", "-") / "main.elf"
        build(image, flags, sources)
        in_qemu(image, "through NIST's interface: passed")
    return "three of its folders, keys, signatures and forged ones through NIST's interface"


def main():
    tests = {"platformio": test_platformio, "zephyr": test_zephyr, "pqm4": test_pqm4}
    if any(name not in tests for name in sys.argv[1:]):
        sys.exit(__doc__)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        for name in sys.argv[1:] or tests:
            print(f"{name}: {tests[name]()}")
    except (Wrong, OSError, KeyError, TypeError) as e:
        print(f"test_packages.py: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
