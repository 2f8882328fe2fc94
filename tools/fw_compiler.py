"""The compiler of the figures in docs/firmware.md and tests/fw/limits.json, and its names."""
import re
import subprocess
import sys

GCC = "12"


def plain(name):
    """The name in the source: GCC 14 appends .isra.0 to that of a function that it changed."""
    return re.sub(r"\.(isra|constprop)\.\d+$", "", name)


def explain(tool):
    """Where figures differ and the compiler is another one, say that this may be why."""
    try:
        version = subprocess.run(["arm-none-eabi-gcc", "-dumpversion"], check=True,
                                 capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return
    if version.split(".", maxsplit=1)[0] != GCC:
        print(f"{tool}: the figures to compare with are those of GCC {GCC}, and "
              f"arm-none-eabi-gcc here is {version}: another compiler gives other figures",
              file=sys.stderr)
