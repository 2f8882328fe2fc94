#!/bin/sh
# Compile every public header alone, in C11 to C++20, with warnings as errors:  tools/headers.sh
# <tongyu/tongyu.h> must include all but those of compat/. GCC, Clang or both, as installed.
# Each header is included twice, so that a missing guard is an error.
set -eu
case ${1:-} in -h|--help) sed -n '2,3p' "$0" | cut -c3-; exit 0 ;; esac
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
flags="-Wall -Wextra -pedantic -Werror -Iinclude -c -o /dev/null"
count=0
for header in include/tongyu/*.h include/tongyu/compat/*.h; do
    name=${header#include/}
    case $name in
    tongyu/tongyu.h|tongyu/compat/*) ;;   # the others need not be in tongyu.h
    *) grep -q "#include \"$name\"" include/tongyu/tongyu.h ||
        { echo "headers.sh: tongyu/tongyu.h does not include $name" >&2; exit 1; } ;;
    esac
    printf '#include "%s"\n#include "%s"\nextern int not_an_empty_file;\n' "$name" "$name" \
        >"$dir/probe.c"
    cp "$dir/probe.c" "$dir/probe.cc"
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        for std in c11 c2x; do
            $cc -std=$std -Wstrict-prototypes $flags "$dir/probe.c" ||
                { echo "headers.sh: $name: $cc -std=$std" >&2; exit 1; }
            count=$((count + 1))
        done
    done
    for cxx in g++ clang++; do
        command -v $cxx >/dev/null || continue
        for std in c++11 c++14 c++17 c++20; do
            $cxx -std=$std $flags "$dir/probe.cc" ||
                { echo "headers.sh: $name: $cxx -std=$std" >&2; exit 1; }
            count=$((count + 1))
        done
    done
done
[ "$count" -gt 0 ] || { echo "headers.sh: no header and compiler found" >&2; exit 1; }
echo "headers: $count compilations, all clean"
