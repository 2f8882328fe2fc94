"""The compiler with which the figures in docs/firmware.md and tests/fw/limits.json were made, and
the names that compilers give functions."""
import re
import subprocess
import sys

GCC = "12"


def plain(name):
    """The name in the source: GCC appends .isra.0 or .constprop.0 to that of a function whose
    parameters it changed."""
    return re.sub(r"\.(isra|constprop)\.\d+$", "", name)


def is_other_gcc(tool):
    """Whether the compiler is another one, with other figures, which is not a fault; prints a note
    if so."""
    try:
        version = subprocess.run(["arm-none-eabi-gcc", "-dumpversion"], check=True,
                                 capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return False
    if version.split(".", maxsplit=1)[0] == GCC:
        return False
    print(f"{tool}: not a fault: the recorded figures are those of GCC {GCC}, and "
          f"arm-none-eabi-gcc here is {version}", file=sys.stderr)
    return True
