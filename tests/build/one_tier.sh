#!/bin/sh
# Checks that a build for one tier links no other:
#     tests/build/one_tier.sh [CC [FLAGS...]]
# A program that refers to every public function is built with -DTY_TIER=<level>, run, and its
# symbols are examined: nothing of a level above, and one ops table of each family. The level is
# avx2 where the machine has it, else c. A full run does the same for c, and checks the declarations
# of every other level; the code of a level's kernels is the same as in the ordinary build.
# ty_tier_list, which lists all tiers, is left out.
set -eu
cd "$(dirname "$0")/../.."
cc=${1:-cc}
[ $# -eq 0 ] || shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The levels of this compiler's machine, weakest first, from the error for an unknown one
echo '#include "base/levels.h"' >"$dir/levels.c"
levels=$("$cc" -DTY_TIER=none -Isrc -Iinclude -fsyntax-only "$dir/levels.c" 2>&1 |
         sed -n 's/.*its levels are: \([a-z0-9 ]*\).*/\1/p' | head -n 1)
[ "${levels%% *}" = c ] || { echo "one_tier.sh: no list of levels" >&2; exit 1; }
linked=c
case " $levels " in *" avx2 "*) linked="c avx2" ;; esac
all=$levels optimise=-O1   # below -O1 there are no tiers of asm statements: TY_HAS_ADX
[ "${TONGYU_TEST_FULL:-}" ] || { levels=${linked##* } optimise=-O0; }

cat >"$dir/main.c" <<'C'
#include <tongyu/tongyu.h>
#include <string.h>

/* A digest and an encrypted block that the standards print: GB/T 32905-2016, A.1;
   GB/T 32907-2016, A.1 */
int main(void)
{
    static const uint8_t key[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                     0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 };
    uint8_t digest[32], block[16];
    ty_sm4_key k;
    ty_sm3_hash(digest, (const uint8_t *)"abc", 3);
    ty_sm4_init(&k, key);
    if (ty_sm4_ecb_encrypt(block, key, 16, &k) != TY_OK) return 1;
    return memcmp(digest, "\x66\xc7\xf0\xf4\x62\xee\xed\xd9", 8) ||
           memcmp(block, "\x68\x1e\xdf\x34\xd2\x06\x96\x5e", 8);
}
C
roots=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tools \
    python3 -c 'import symbols; print(*symbols.declared(), sep="\n")' |
        grep -vx ty_tier_list | sed 's/^/-Wl,-u,/')

fail() { echo "one_tier.sh: -DTY_TIER=$level: $*" >&2; exit 1; }
for level in $levels; do
    objects=$dir/$level
    mkdir "$objects"
    case " $linked " in *" $level "*) only= ;; *) only=-fsyntax-only ;; esac
    export objects level optimise only
    printf '%s\n' src/*/*.c src/*/*.S | xargs -P "$(nproc)" -I FILE sh -c '
        file=FILE; name=$(echo "${file#src/}" | tr / -)   # an object is named by its folder too
        case $file in *.S) only= ;; esac
        exec "$0" $only "$optimise" "-DTY_TIER=$level" -Isrc -Iinclude \
            -ffunction-sections -fdata-sections "$@" -c "$file" \
             -o "$objects/$name.o"' "$cc" "$@" || fail "does not compile"
    above=" $all " above=${above#* "$level" }
    [ -z "$only" ] || { rm -r "$objects"; continue; }
    "$cc" -Iinclude "$dir/main.c" "$objects"/*.o -Wl,--gc-sections $roots -pthread \
        -o "$dir/program" || fail "does not link"
    "$dir/program" || fail "wrong results, or this CPU is below $level"
    nm "$dir/program" | awk '{ print $NF }' | sed 's/\..*//' | sort -u >"$dir/names"
    grep -qx ty_ecdsa_sign "$dir/names" || fail "the program is empty"
    higher=$(for other in $above; do grep "^ty_.*_$other\$" "$dir/names" || true; done)
    [ -z "$higher" ] || fail "linked, and above it:" $higher
    twice=$(sed -n 's/^\(ty_.*_ops\)_[a-z0-9]*$/\1/p' "$dir/names" | uniq -d)
    [ -z "$twice" ] || fail "more than one table of" $twice
    names=$(grep -c '^ty_' "$dir/names")
    echo "one tier: $level links $names names, no ops table twice and nothing above"
    rm -r "$objects"
done
echo "one tier: compiled for: $levels"
