#!/bin/sh
# macOS on x86-64 and arm64: the library and the command are compiled and linked without Apple's
# SDK, and examined with llvm-objdump: every function of the headers is exported, every level of the
# machine has its kernels, every function in assembly is there. Nothing is run.
#     macos.sh [library]     library: of the command, only the files that depend on the system
set -eu
part=${1:-all}
. "$(dirname "$0")/zig.sh"
objdump=$(command -v llvm-objdump || ls /usr/bin/llvm-objdump-* 2>/dev/null | tail -n 1) || true
[ -n "$objdump" ] || { echo "skipped: no llvm-objdump (apt-get install llvm)"; exit 77; }
dir=build/macos
rm -rf "$dir" && mkdir -p "$dir/include"
# only these headers, and not the system's
ln -s /usr/include/CLI /usr/include/nlohmann "$dir/include"

want=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tools \
    python3 -c 'import symbols; print(*symbols.declared(), sep="\n")' | sort)

# lacks WHAT WANTED HAVE: fails if a line of the file WANTED is not in the file HAVE
lacks() {
    missing=$(sort -u "$2" | comm -23 - "$3")
    [ -z "$missing" ] || { echo "macos.sh: $1:" $missing >&2; exit 1; }
}

# units TARGET DIR: the command's objects, in units of the ten files that app/cli/CMakeLists.txt
# takes together
units() {
    find app/cli -name '*.cc' ! -name '*_windows.cc' | LC_ALL=C sort | split -l 10 - "$2/unit-"
    for unit in "$2"/unit-??; do sed 's|.*|#include "../../../&"|' "$unit" >"$unit.cc"; done
    printf '%s\n' "$2"/unit-?? | xargs -P "$jobs" -I UNIT sh -c '
        exec python3 -m ziglang c++ -target "$2" -std=c++17 -O1 -Iinclude -Ibench \
            -isystem "$3" -c "$1.cc" -o "$1.o"
    ' sh UNIT "$1" "$dir/include"
}

for machine in x86_64 aarch64; do
    target=$machine-macos at=$dir/$machine
    parts $target "$at/o" -O2 -fvisibility=hidden -Wall -Wextra -Wno-type-limits -Werror
    zig $target cc -shared -Wl,-install_name,@rpath/libtongyu.dylib "$at"/o/*.o \
        -o "$at/libtongyu.dylib"
    "$objdump" --macho --exports-trie "$at/libtongyu.dylib" |
        awk '/_ty_/ { sub(/^_/, "", $2); print $2 }' |
        sort -u >"$at/exported"
    echo "$want" >"$at/declared"
    lacks "declared but not exported" "$at/declared" "$at/exported"
    lacks "exported but not declared" "$at/exported" "$at/declared"

    # Mach-O has no symbols of hidden functions in a library, so the objects are examined.
    "$objdump" -t "$at"/o/*.o | awk '{ sub(/^_/, "", $NF); print $NF }' | sort -u >"$at/symbols"
    case $machine in
    x86_64) pattern='_(adx|avx2|x86|gfni|gfni512|vaes)$' ;;
    *)      pattern='_neon$' ;;
    esac
    grep -hoE '^ *(TY_FUNC|TY_FUNC_SYSV|PRODUCT|SUM) +ty_[a-z0-9_]+' src/*/*.S |
        awk '{ print $2 }' |
        grep -E "$pattern" >"$at/assembly"
    lacks "no such function in assembly" "$at/assembly" "$at/symbols"
    printf '#include "base/levels.h"\n#define N(level) @level@\nTY_LEVELS(N)\n' |
        zig $target cc -O2 -Isrc -Iinclude -E -P -x c - | grep -oE '@[a-z0-9]+@' | tr -d @ |
        sort -u >"$at/levels"
    [ "$(wc -l <"$at/levels")" -ge 6 ] ||
        { echo "macos.sh: $machine has few levels:" $(cat "$at/levels") >&2; exit 1; }
    sed -n 's/^ty_.*_ops_\([a-z0-9]*\)$/\1/p' "$at/symbols" | sort -u >"$at/tiers"
    lacks "levels without a tier" "$at/levels" "$at/tiers"

    # The linked library must contain instructions of these kernels.
    case $machine in
    x86_64)  instructions="adcxq adoxq vaesenclast vgf2p8affineinvqb vpclmulqdq vpmadd52luq"
             instructions="$instructions vpternlogd sha256rnds2"
             features="" ;;
    aarch64) instructions="umulh aese pmull2 sm4e sm3ss1 eor3 sha256h"
             features="--mattr=+aes,+sha2,+sha3,+sm4" ;;   # LLVM 14 decodes only listed features
    esac
    # shellcheck disable=SC2086  # one argument or none
    "$objdump" -d --no-show-raw-insn $features "$at/libtongyu.dylib" >"$at/disassembly"
    for i in $instructions; do
        grep -qwE "$i(\.[0-9a-z]+)?" "$at/disassembly" ||
            { echo "macos.sh: $machine: no $i in the library" >&2; exit 1; }
    done
    exported=$(wc -l <"$at/exported") assembly=$(wc -l <"$at/assembly")
    echo "macos: $machine: $exported functions exported, $assembly in assembly, levels:" \
        "$(tr '\n' ' ' <"$at/levels")"
    if [ "$part" = library ]; then
        for source in app/cli/*_posix.cc; do
            zig $target c++ -std=c++17 -O1 -Iinclude -isystem "$dir/include" -c "$source" \
                -o "$at/posix.o"
        done
        continue
    fi
    for source in bench/sm2_field/*.c; do
        zig $target cc -O2 -Isrc -Iinclude -Ibench -c "$source" -o "$at/o/field-${source##*/}.o"
    done
    units $target "$at"
    zig $target c++ "$at"/unit-??.o "$at"/o/*.o -o "$at/tongyu"
    "$objdump" --macho --private-header "$at/tongyu" | tail -n 1
done
