"""The compiler that the figures of docs/firmware.md and tests/fw/limits.json are of."""
import subprocess
import sys

GCC = "12"


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
