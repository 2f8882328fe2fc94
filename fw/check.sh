#!/bin/sh
# Build every image for a Cortex-M4 and run it in QEMU:  fw/check.sh [-jN]
# Soft and hard float, -Os, -O2 and -O3, and -O2 with link-time optimisation, each image read by tools/fw_check.py; then the
# tests of that and of the cycle model, and that model and QEMU agree on what the self-test prints. A test that skips fails the run.
set -eu
cd "$(dirname "$0")/.."
count=0
python=build/fw-venv/bin/python
for float in soft hard; do
    for flags in -Os -O2 -O3 "-O2 -flto"; do
        dir=build/fw-$float$(echo "$flags" | tr -d ' ')
        cmake -S . -B "$dir" -G Ninja --toolchain cmake/m4.cmake -DTONGYU_M4_FLOAT=$float -DTONGYU_FREESTANDING=ON -DTONGYU_CLI=OFF \
              -DTONGYU_WERROR=ON -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=$flags -g -fstack-usage" >"$dir.log" 2>&1 &&
            cmake --build "$dir" "$@" >>"$dir.log" 2>&1 || { cat "$dir.log"; exit 1; }
        ctest --test-dir "$dir" --output-on-failure >"$dir.log" 2>&1 || { cat "$dir.log"; exit 1; }
        ! grep -i 'skipped' "$dir.log" || exit 1
        frames="$dir"
        case $flags in *-flto*) frames="" ;; esac   # the compiler writes them for units before they are linked
        for image in "$dir"/bin/*.elf; do
            # shellcheck disable=SC2086  # none or one
            $python -B tools/fw_check.py "$image" $frames >>"$dir.log" 2>&1 || { tail "$dir.log"; exit 1; }
        done
        echo "fw: $float float, $flags: $(arm-none-eabi-size "$dir/bin/selftest.elf" | awk 'END { print $1 }') bytes, tests passed"
        count=$((count + 1))
    done
done
$python -B tests/fw/test_fw_check.py
$python -B tools/m4cycles/test_m4cycles.py
for float in soft hard; do
    $python -B tools/m4cycles/m4cycles.py --qemu build/fw-$float-O2/bin/selftest.elf
done
echo "fw: $count builds, all of them pass"
