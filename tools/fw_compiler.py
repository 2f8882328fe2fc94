"""The compiler of the figures in docs/firmware.md and tests/fw/limits.json, and its names."""
import re
import subprocess
import sys

GCC = "12"


def plain(name):
    """The name in the source: GCC 14 appends .isra.0 to that of a function that it changed."""
    return re.sub(r"\.(isra|constprop)\.\d+$", "", name)


def others(tool):
    """Whether the compiler is another one, whose figures differ and are no fault: says so."""
    try:
        version = subprocess.run(["arm-none-eabi-gcc", "-dumpversion"], check=True,
                                 capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return False
    if version.split(".", maxsplit=1)[0] == GCC:
        return False
    print(f"{tool}: no fault: the figures to compare with are those of GCC {GCC}, and "
          f"arm-none-eabi-gcc here is {version}", file=sys.stderr)
    return True
