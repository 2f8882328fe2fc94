#!/bin/sh
# Checks constant time, and that no secrets stay on the stack, in objects made by other compilers
# or options than those of the stages ct and release: a compiler may turn a mask into a branch,
# or spill a secret.
#   tests/ct/compilers.sh [gcc-O3 | gcc-Os | clang-O2 | clang-O3]...
#                         all four if none is named
# For each, in build/ct-NAME: the programs of tests/ct under valgrind with their controls,
# emu-trace and, except with -Os, fault-residue. One build serves all, so the last two run with
# objects that carry the marks for valgrind. A run after one that was stopped builds only what is
# missing.
set -u
cd "$(dirname "$0")/../.." || exit 1
jobs=${TONGYU_CHECK_JOBS:-$(nproc)}
[ $# -gt 0 ] || set -- gcc-O3 gcc-Os clang-O2 clang-O3
failed=0

one() {   # name
    compiler=${1%%-*}
    level=-${1#*-}
    debug=-g1
    case $1 in
    gcc-*)   cxx=g++ ;;
    clang-*) cxx=clang++; debug="-gdwarf-4 -g1" ;;   # valgrind 3.19 does not read Clang's DWARF 5
    *)       echo "compilers.sh: no '$1'"; return 2 ;;
    esac
    cmake --preset ct -B "build/ct-$1" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_CXX_COMPILER=$cxx -DCMAKE_C_FLAGS_RELEASE="$level $debug" &&
    cmake --build "build/ct-$1" -j "$jobs" \
        --target ct-programs test-emu-trace test-fault-residue &&
    ctest --test-dir "build/ct-$1" -j "$jobs" --output-on-failure --no-tests=error \
        -R '^(ct|control)-' &&
    "build/ct-$1/bin/test-emu-trace" --gtest_brief=1 &&
    # What public calls leave, which is claimed for -O2 and -O3; the limits of ResidueInside, for
    # functions below which the public calls wipe, are the words that -O2 spills.
    if [ "$level" != -Os ]; then
        "build/ct-$1/bin/test-fault-residue" --gtest_brief=1 --gtest_filter='-ResidueInside.*'
    fi
}

for name in "$@"; do
    start=$(date +%s)
    if one "$name"; then verdict=passed; else verdict=FAILED; failed=1; fi
    echo "compilers.sh: $name $verdict in $(($(date +%s) - start)) s"
done
exit $failed
