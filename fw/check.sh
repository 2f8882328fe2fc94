#!/bin/sh
# Build every image for a Cortex-M4 and run it in QEMU:  fw/check.sh [-jN]
# The builds are soft and hard float with -Os, -O2 and -O3, and -O2 with link-time optimisation;
# in the short form, with TONGYU_FW_SHORT, only the smallest and the two fastest of these.
# tools/fw_check.py reads each image and compares its stack in QEMU with the cycle model's (in the
# short form only for the self-test); the traces of secrets are compared, in one build also those of
# whole ML-DSA signatures. One build for each float ABI (in the short form only hard float) runs the
# shared vectors. Then come the packages for other build systems, a Cortex-M3, and the tests of
# these tools and of the cycle model; the model and QEMU must agree on the output of the self-test.
# A skipped test fails the run.
set -eu
cd "$(dirname "$0")/.."
count=0
python=build/fw-venv/bin/python
jobs=$(nproc 2>/dev/null || echo 1)
case ${1:-} in -j?*) jobs=${1#-j} ;; esac

# Runs the commands on stdin, one per line, $jobs at a time
side_by_side() {
    xargs -P "$jobs" -I COMMAND sh -c COMMAND
}

checks() {  # build, folder with its frames or nothing: prints the commands that read its images
    for image in "$1"/bin/*.elf; do
        model=--model
        [ "${image##*/}" = selftest.elf ] || [ ! "${TONGYU_FW_SHORT:-}" ] || model=
        echo "$python -B tools/fw_check.py $model $image $2"
    done
    echo "$python -B tools/fw_traces.py $1/bin/traces.elf"
}

for float in soft hard; do
    for flags in -Os -O2 -O3 "-O2 -flto"; do
        case "${TONGYU_FW_SHORT:+short} $float$flags" in
            "short soft-Os"|"short hard-O2"|"short hard-O2 -flto"|" "*) ;;
            *) continue ;;
        esac
        dir=build/fw-$float$(echo "$flags" | tr -d ' ')
        cmake -S . -B "$dir" -G Ninja --toolchain cmake/m4.cmake -DTONGYU_M4_FLOAT=$float \
            -DTONGYU_FREESTANDING=ON -DTONGYU_CLI=OFF \
            -DTONGYU_WERROR=ON -DCMAKE_BUILD_TYPE=Release \
            "-DCMAKE_C_FLAGS_RELEASE=$flags -g -fstack-usage" >"$dir.log" 2>&1 &&
            cmake --build "$dir" "$@" >>"$dir.log" 2>&1 || { cat "$dir.log"; exit 1; }
        ctest --test-dir "$dir" -j"$jobs" --output-on-failure >"$dir.log" 2>&1 ||
            { cat "$dir.log"; exit 1; }
        ! grep -i 'skipped' "$dir.log" || exit 1
        frames="$dir"
        # with -flto the compiler writes the frames of each unit as they are before linking
        case $flags in *-flto*) frames="" ;; esac
        checks "$dir" "$frames" | side_by_side >>"$dir.log" 2>&1 || { tail "$dir.log"; exit 1; }
        echo "fw: $float float, $flags: $(arm-none-eabi-size "$dir/bin/selftest.elf" |
            awk 'END { print $1 }') bytes, tests passed"
        count=$((count + 1))
    done
done
# the short form: the vectors in one build, the extreme budgets, and two packages of three
vectors="build/fw-soft-Os build/fw-hard-O2" budgets="8192 16384 32768 79872" packages=
if [ "${TONGYU_FW_SHORT:-}" ]; then
    vectors=build/fw-hard-O2 budgets="8192 79872" packages="platformio pqm4"
fi
for dir in $vectors; do
    cmake --build "$dir" "$@" --target vectors >"$dir.log" 2>&1 || { cat "$dir.log"; exit 1; }
done
# shellcheck disable=SC2046  # a list
cmake --build build/fw-hard-O2 "$@" --target $(printf 'trace-signing-%s ' $budgets) \
    >build/fw-hard-O2.log 2>&1 || { cat build/fw-hard-O2.log; exit 1; }
{
    for budget in $budgets; do
        image=build/fw-hard-O2/bin/traces/trace-signing-$budget.elf
        echo "qemu-system-arm -M mps2-an386 -nographic" \
            "-semihosting-config enable=on,target=native -kernel $image </dev/null"
        echo "$python -B tools/fw_traces.py $image"
    done
    echo "$python -B tests/fw/vectors.py $vectors"
    echo "$python -B tools/fw_sizes.py build/fw-soft-Os build/fw-hard-O2"
    echo "$python -B tests/fw/test_fw_check.py"
    echo "$python -B tests/fw/test_packages.py $packages"
    echo "$python -B tests/fw/test_m3.py"
    echo "$python -B tools/m4cycles/test_m4cycles.py"
    for dir in build/fw-soft-Os build/fw-hard-O2; do
        echo "$python -B tools/m4cycles/m4cycles.py --qemu $dir/bin/selftest.elf"
    done
    echo "$python -B tools/fw_bench.py build/fw-hard-O2/bin/bench.elf"
    echo "$python -B tools/fw_picture.py --check"
} | side_by_side
echo "fw: $count builds, all of them pass"
