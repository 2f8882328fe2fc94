#!/bin/sh
# An old C library: src/os is compiled for glibc 2.17 (CentOS 7), which has no getrandom, and linked
# with the rest of a built library; the program needs nothing newer than 2.17, and still draws its
# randomness from the kernel.     glibc.sh LIBRARY.a
set -eu
library=$(realpath "$1")
. "$(dirname "$0")/zig.sh"
target=$(uname -m)-linux-gnu.2.17   # the library is for this machine
dir=build/glibc
rm -rf "$dir" && mkdir -p "$dir"
for source in src/os/*.c; do
    zig "$target" cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -Isrc -Iinclude \
        -c "$source" \
        -o "$dir/$(basename "$source").o"
done
zig "$target" cc -std=c11 -O2 -Iinclude tests/platforms/known_answers.c "$dir"/*.o \
    "$library" \
    -o "$dir/known_answers"
"$dir/known_answers"
readelf -V "$dir/known_answers" | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV >"$dir/versions"
newest=$(printf 'GLIBC_2.17\n' | cat - "$dir/versions" | sort -V | tail -n 1)
[ "$newest" = GLIBC_2.17 ] || { echo "glibc.sh: the program needs $newest" >&2; exit 1; }
echo "glibc: needs $(tail -n 1 "$dir/versions") at most"
