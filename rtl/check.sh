#!/bin/sh
# The checks of the accelerator:  rtl/check.sh rtl|rtl-full|rtl-mutate|rtl-report
# They are the targets of make with these names.
set -eu
cd "$(dirname "$0")/.."
export PYTHONPATH="$PWD/build/python${PYTHONPATH:+:$PYTHONPATH}"
build() {
    cmake --preset release -DTONGYU_TESTS=ON -DTONGYU_CLI=ON -DTONGYU_RTL=ON \
        >build/release.log 2>&1 || { cat build/release.log; exit 1; }
    cmake --build --preset release --target test-rtl-field test-rtl-device test-rtl-generic \
        tongyu-cli
}
case $1 in
    rtl | rtl-full) ;;
    rtl-report) exec rtl/tools/report.py ;;
    rtl-mutate) build; exec rtl/tools/mutants.py ;;
    *) echo "check.sh: rtl, rtl-full, rtl-mutate or rtl-report, and not $1" >&2; exit 2 ;;
esac
if [ "$1" = rtl-full ]; then export TONGYU_RTL_FULL=1; fi

rtl/regs/registers.py --check
rtl/ucode/ucode.py --check
rtl/ucode/answers.py --check
rtl/tools/lint.py
rtl/tools/core_file.py --check
rtl/tools/report.py --check
rtl/formal/prove.py --broken
rtl/formal/prove.py
rtl/formal/induct.py --broken
rtl/formal/induct.py
rtl/bench/run.py
build
ctest --preset release --parallel "$(nproc)" -R '^rtl-'
if [ "$1" = rtl-full ]; then
    rtl/tools/coverage.py
    rtl/soc/run.py
    rtl/bench/derive.py build/release/bin/tongyu
fi
