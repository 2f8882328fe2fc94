#!/bin/sh
# Where the tier is a fact of the build, no other is linked:  tests/build/one_tier.sh [CC [FLAGS...]]
# A program that calls every public function, built with -DTY_TIER=c, whose symbols are looked at. What lists tiers or
# ways by its purpose is left out.
set -eu
[ "${TONGYU_TEST_FULL:-}" ] || { echo "SKIPPED: a test of make test-full"; exit 77; }
cd "$(dirname "$0")/../.."
cc=${1:-cc}
[ $# -eq 0 ] || shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

others=$(sed -n 's/^    { "\([a-z0-9]*\)", .*/\1/p' src/base/cpu.c | grep -vx c | paste -sd '|')
foreign() { grep -E "(^|_)($others)(_|\$)|^ty_tier_best\$" || true; }
[ "$(printf '%s\n' ec_aesni_ops ty_f2_holes64 ty_limb_redc_adx | foreign | wc -l)" = 2 ] ||
    { echo "one_tier.sh: the pattern '$others' does not tell tiers" >&2; exit 1; }

roots=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tools python3 -c 'import symbols; print(*symbols.declared(), sep="\n")' |
        grep -vx -e ty_tier_list -e ty_sm2_field_way_at | sed 's/^/-Wl,-u,/')
echo 'int main(void) { return 0; }' >"$dir/main.c"
set -- -O0 -DTY_TIER=c -Isrc -Iinclude -ffunction-sections -fdata-sections "$@" "$dir/main.c" src/*/*.c src/*/*.S \
       -Wl,--gc-sections $roots -pthread -o "$dir/program"
for word do                               # a pattern without a match stands for itself
    shift
    case $word in 'src/*/*.S') continue ;; esac
    set -- "$@" "$word"
done
"$cc" "$@"

linked=$(nm "$dir/program" | awk '{ print $NF }' | sort -u)
echo "$linked" | grep -qx ty_ecdsa_sign || { echo "one_tier.sh: the program is empty" >&2; exit 1; }
found=$(echo "$linked" | foreign)
[ -z "$found" ] || { echo "one_tier.sh: linked with -DTY_TIER=c:" $found >&2; exit 1; }
echo "one tier: $(echo "$linked" | grep -c '^ty_') names, none of $(echo "$others" | tr '|' ' ')"
