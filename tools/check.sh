#!/bin/sh
# The longer checks, one stage each:  tools/check.sh STAGE...   or   tools/check.sh ci | all
# Every stage configures what it needs under build/, builds, runs its tests, and is reported with
# its time. `ci` and `all` run three stages at a time, each on half of the cores: many of them have
# long serial parts, or wait for an emulator, a server or the disk.
# With TONGYU_TEST_FULL the tests run in their long forms in the stage release, where the code is
# optimised and nothing is emulated. Elsewhere that would take hours.
set -u
cd "$(dirname "$0")/.." || exit 1
long=${TONGYU_TEST_FULL:-}
unset TONGYU_TEST_FULL
cores=$(nproc 2>/dev/null || echo 2)
jobs=${TONGYU_CHECK_JOBS:-$cores}
export CMAKE_BUILD_PARALLEL_LEVEL="$jobs"
mkdir -p build

ctest_stage() {  # preset [ctest arguments...]
    preset=$1; shift
    cmake --preset "$preset" && cmake --build --preset "$preset" &&
        ctest --preset "$preset" -j"$jobs" --no-tests=error "$@"
}

release_stage() {   # the long forms in a full run, where the stage fuzz runs the fuzz targets
    if [ -z "$long" ]; then ctest_stage release; return; fi
    (export TONGYU_TEST_FULL="$long"; ctest_stage release -E '^fuzz-')
}

coverage_stage() {
    ctest_stage coverage &&   # the tiers this CPU has: emulating unoptimised code takes too long
    gcovr --root . --object-directory build/coverage --filter src/ --exclude-unreachable-branches \
          --exclude-directories '.*CompilerId.*' \
          --html-details build/coverage/index.html --json-summary build/coverage/summary.json \
          --print-summary --fail-under-line 95
}

fuzz_stage() {  # seconds per target; one target on each core
    cmake --preset fuzz && cmake --build --preset fuzz || return 1
    printf '%s\n' build/fuzz/bin/fuzz-* | xargs -P "$jobs" -I '{}' tools/fuzz.sh '{}' "$1"
}

python_stage() {
    app/python/check.sh
}

# The tests of columns, DuckDB, its extension and Spark, the five jobs of docs/bulk.md, and the
# demonstration or, in a full run, a ledger of 500,000 rows.
bulk_stage() {
    tests/bulk/setup.sh || return 1
    build/venv-bulk/bin/python tests/bulk/check_costs.py || return 1
    if [ -f build/duckdb/tongyu.duckdb_extension ]; then
        export TONGYU_DUCKDB_EXTENSION="$PWD/build/duckdb/tongyu.duckdb_extension"
        build/venv-bulk/bin/python tests/bulk/shell.py "$TONGYU_DUCKDB_EXTENSION" || return 1
    fi
    (cd app/python/tests && ../../../build/venv-bulk/bin/python -P -m pytest -q -rs \
        test_arrow.py test_duckdb.py test_ledger.py test_spark.py test_bulk.py) || return 1
    build/venv-bulk/bin/python tests/bulk/jobs.py 20000 || return 1
    if [ "$long" ]; then build/venv-bulk/bin/python tests/bulk/full.py 500000
    else build/venv-bulk/bin/python tests/bulk/demo.py 20000; fi
}

provider_stage() {   # OpenSSL 3.0, 3.5 and 4.0 with programs from packages
    cmake --preset release -DTONGYU_TESTS=ON -DTONGYU_CLI=ON && cmake --build --preset release ||
        return 1
    tests/provider/versions.sh build/release
}

interop_stage() {   # keys and messages exchanged with other programs, in both directions
    cmake --preset release -DTONGYU_TESTS=ON -DTONGYU_CLI=ON &&
    cmake --build --preset release --target tongyu-cli && tests/interop/setup.sh || return 1
    tests/interop/matrix.py build/release/bin/tongyu
}

# Windows, built with mingw-w64, under Wine: every test in a full run, otherwise only those of code
# that has assembly or depends on the system; then the demonstration. The command is not optimised,
# because that would take longer than the rest of the stage.
windows_stage() {
    export WINEPREFIX="$PWD/build/wine" WINEDEBUG=-all
    cmake --preset windows -DCMAKE_CXX_FLAGS_RELEASE=-O0 && wineboot -i || return 1
    if [ "$long" ]; then
        cmake --build --preset windows && ctest --preset windows -j"$jobs" --no-tests=error ||
            return 1
    else
        tests="os-windows os-random os-parallel limb-limb sm3-sm3 sm4-sm4"
        # shellcheck disable=SC2086,SC2046  # lists
        cmake --build --preset windows --target tongyu-cli tongyu-shared \
            $(printf 'test-%s ' $tests) || return 1
        ctest --preset windows -j"$jobs" --no-tests=error -R "^($(echo $tests | tr ' ' '|'))$" ||
            return 1
    fi
    tests/platforms/wine.sh build/windows
}

# Library and command for macOS in a full run, otherwise only the library.
macos_stage() {
    if [ "$long" ]; then tests/platforms/macos.sh; else tests/platforms/macos.sh library; fi
}

platforms_stage() {   # WebAssembly, an old glibc
    tests/platforms/wasm.sh || return 1
    cmake --preset release && cmake --build --preset release --target tongyu || return 1
    tests/platforms/glibc.sh build/release/libtongyu.a
}

# Firmware: three of the eight builds of `make fw`, and the boot loader.
fw_stage() {
    cmake --preset release -DTONGYU_CLI=ON && cmake --build --preset release --target tongyu-cli &&
        TONGYU_FW_SHORT=1 fw/check.sh -j"$jobs" && fw/boot.sh -j"$jobs"
}

# The tiers for a Cortex-M4 and for AArch64, under QEMU. Except in a full run the tests of tier c
# are only sampled, because stage i686 runs the same code natively.
arm_stage() {
    [ "$long" ] || export TONGYU_SAMPLE=1
    ctest_stage "$1"
}

strict_stage() {   # strict C11, by those of these compilers that are installed
    tests/platforms/strict.sh gcc clang "clang --target=x86_64-w64-windows-gnu" i686-linux-gnu-gcc \
        arm-linux-gnueabihf-gcc \
        aarch64-linux-gnu-gcc riscv64-linux-gnu-gcc
}

# The quick part of `make proof`: the semantics table against the CPU, the tool's controls, one
# theorem of each symbol, and the short ones about parsers, which are reported as skipped where
# there is no CBMC. Returns 77 if nothing was checked.
proof_stage() {
    python=build/proof-venv/bin/python
    [ "$(uname -m)" = x86_64 ] && [ -x $python ] ||
        { echo "not x86-64, or no build/proof-venv"; return 77; }
    cmake --preset release && cmake --build --preset release --target tongyu || return 1
    $python -B tests/proof/test_rows.py &&
        $python -B tests/proof/test_tool.py build/release/libtongyu.a &&
        $python -B tests/proof/prove.py build/release/libtongyu.a --quick || return 1
    parsers=0
    $python -B tests/proof/parsers.py --quick || parsers=$?
    [ $parsers -eq 0 ] || [ $parsers -eq 77 ]
}

# t-tests of running times: one fixed secret against random ones. Returns 77 if not on x86-64.
timing_stage() {
    [ "$(uname -m)" = x86_64 ] || { echo "not x86-64"; return 77; }
    cmake --preset release -DTONGYU_TESTS=ON && cmake --build --preset release --target timing &&
        build/release/bin/timing
}

run_stage() {
    case $1 in
    release)  release_stage ;;
    coverage) coverage_stage ;;
    python)   python_stage ;;
    bulk)     bulk_stage ;;
    provider) provider_stage ;;
    interop)  interop_stage ;;
    fuzz)     fuzz_stage "${TONGYU_FUZZ_SECONDS:-3}" ;;
    windows)  windows_stage ;;
    platforms) platforms_stage ;;
    macos)    macos_stage ;;
    musl)     tests/platforms/musl.sh ;;
    strict)   strict_stage ;;
    fw)       fw_stage ;;
    proof)    proof_stage ;;
    timing)   timing_stage ;;
    armhf|aarch64) arm_stage "$1" ;;
    debug|portable|clang|asan|msan|ct|i686|riscv64|s390x|m4|m4f) ctest_stage "$1" ;;
    # not clang-O2: the stage clang runs emu-trace and fault-residue, and msan the tests of tests/ct
    ct-compilers) tests/ct/compilers.sh gcc-O3 gcc-Os clang-O3 ;;
    *) echo "check.sh: no stage '$1'" >&2; return 2 ;;
    esac
}

one_stage() {   # writes its verdict to build/check-STAGE.verdict
    echo "==> $1"
    start=$(date +%s)
    rm -f "build/check-$1.verdict"
    outcome=0
    (run_stage "$1") >"build/check-$1.log" 2>&1 || outcome=$?
    if [ $outcome -eq 0 ]; then
        verdict=passed
        skipped=$(sed -n 's/^skipped: //p' "build/check-$1.log" | tail -n 1)
        if [ "$1" = proof ] && [ "$skipped" ]; then verdict="passed, skipped: $skipped"; fi
    elif [ $outcome -eq 77 ] && { [ "$1" = proof ] || [ "$1" = timing ]; }; then
        verdict="skipped ($(tail -n 1 "build/check-$1.log"))"
    else
        verdict=FAILED
        echo "    $1 FAILED; the end of build/check-$1.log:"
        tail -n 60 "build/check-$1.log"
    fi
    line="$(printf '%-12s %s in %d s' "$1" "$verdict" $(($(date +%s) - start)))"
    [ "$1" = coverage ] &&
        line="$line ($(grep -h '^lines' "build/check-$1.log" || echo 'no figure'))"
    echo "    $line"
    echo "$line" >"build/check-$1.verdict"
}

# Runs groups, three at a time. The stages of one group run one after the other; some share a build.
side_by_side() {
    half=$(((cores + 1) / 2))
    # shellcheck disable=SC2048  # groups are lists of stages
    for stage in $*; do rm -f "build/check-$stage.verdict"; done   # of an earlier run
    printf '%s\n' "$@" | TONGYU_TEST_FULL=$long TONGYU_CHECK_JOBS=$half \
        xargs -P 3 -I GROUP sh -c "tools/check.sh --group GROUP"
    # shellcheck disable=SC2086,SC2048  # groups are lists of stages
    summary $*
}

summary() {
    echo
    for stage in "$@"; do
        cat "build/check-$stage.verdict" || echo "$stage did not end: FAILED"
    done | tee build/check-summary
    failed=$(grep -c FAILED build/check-summary)
    echo
    skipped=$(grep -c ' skipped (' build/check-summary)
    echo "stages: $(($# - failed - skipped)) passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

case "$*" in
""|-h|--help)
    sed -n '2,8p' "$0"
    echo "stages: release debug portable clang asan msan ct coverage fuzz python bulk provider" \
        "interop i686 armhf aarch64 riscv64 s390x m4 m4f fw windows platforms macos musl strict" \
        "proof timing ct-compilers"
    exit 2 ;;
--group*)
    shift
    for stage in "$@"; do one_stage "$stage"; done ;;
ci)   # fuzz targets run here too, under asan, on inputs that they generate. Not armhf: i686 has its
    # word size, and fw its instructions.
    side_by_side asan windows macos aarch64 s390x msan i686 ct "fw proof" ;;
all)   # not portable: i686 runs the same 32-bit C, without libcrypto and GMP; not debug, which is
    # portable at -O0; not m4 and m4f: fw has both; not coverage, which is make coverage. fuzz takes
    # its seeds from release's build. The longest come first, so that the three end at about the
    # same time.
    side_by_side "release timing provider interop platforms proof fw fuzz" python asan \
        ct-compilers bulk windows aarch64 clang s390x macos armhf riscv64 msan i686 ct strict \
        musl ;;
*)
    for stage in "$@"; do one_stage "$stage"; done
    summary "$@" ;;
esac
