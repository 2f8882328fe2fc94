#!/bin/sh
# False declarations ("lies") must be refused:  tests/lies/lies.sh LIBTONGYU.a [CC]
# Each case changes one declared fact in a copy of the sources, and the tool that is meant to detect
# it (the compiler, the linker, a checker of tools/) must refuse it. The unchanged copy must pass
# the compiler and all the checkers.
set -eu
cd "$(dirname "$0")/../.."
library=$(realpath "$1") cc=${2:-cc} caught=0
case $("$cc" -dumpmachine) in
x86_64*) ;;
*) echo "SKIPPED: the cases are written for x86-64"; exit 77 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
copy=$dir/copy
export PYTHONDONTWRITEBYTECODE=1 CC="$cc" LC_ALL=C   # messages are compared
mkdir -p "$copy/tests/ec"
cp -r src include tools cards "$copy"
cp tests/ec/multiples.inc "$copy/tests/ec"   # generated, too

# The tools that detect a lie; each runs in the copy. $1 is a list of source files in src/, or the
# name of a checker.
compiles() {
    mkdir -p "$dir/objects"
    rm -f "$dir"/objects/*
    for file in $1; do
        "$cc" -std=gnu11 -O1 -fPIC -fvisibility=hidden $flags -Isrc -Iinclude -c "src/$file" \
              -o "$dir/objects/$(basename "$file").o" || return 1
    done
}
links() {   # the library, with the objects of these files in place of its own
    compiles "$1" || return 1
    cp "$library" "$dir/lib.a"
    ar r "$dir/lib.a" "$dir"/objects/*.o
    "$cc" -shared -Wl,--whole-archive "$dir/lib.a" -Wl,--no-whole-archive -Wl,-z,defs -pthread \
        -o "$dir/lib.so"
}
disassembles() {   # these objects, not linked: their instructions and references
    compiles "$1" || return 1
    rm -f "$dir/lib.a"
    ar rc "$dir/lib.a" "$dir"/objects/*.o
    python3 tools/levels.py "$dir/lib.a"
}
sources()      { python3 tools/levels.py --sources "$copy"; }
checks()       { python3 "tools/$1.py" $2; }

# lie WHAT REASON FILE SED TOOL [ARGUMENTS]: REASON is a pattern in the message; $flags are the
# compiler's
flags=""
lie() {
    what=$1 reason=$2 file=$3 change=$4
    shift 4
    sed -i "$change" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        echo "lies.sh: $what: nothing was changed in $file" >&2; exit 1
    fi
    if (cd "$copy" && "$@") >"$dir/log" 2>&1; then echo "lies.sh: NOT caught: $what" >&2; exit 1; fi
    if ! grep -q "$reason" "$dir/log"; then
        cat "$dir/log"; echo "lies.sh: $what: refused, but not for '$reason'" >&2; exit 1
    fi
    cp "$file" "$copy/$file"
    caught=$((caught + 1))
    echo "caught: $what: $(grep -m 1 "$reason" "$dir/log" | cut -c 1-100)"
}

sm3="sm3/sm3.c sm3/sm3_aesni.c sm3/sm3_avx2.c sm3/sm3_avx512.c sm3/sm3_rounds_x86.S"
(cd "$copy" && disassembles "$sm3" && sources && checks gen --check && checks sizes "") \
    >"$dir/log" 2>&1 ||
    { cat "$dir/log"; echo "lies.sh: the unchanged sources do not pass" >&2; exit 1; }

h=src/sm3/sm3.h w=src/sm3/sm3_avx512.c
lie "a level that does not exist" "TY_RANK_foo512" \
    $h 's/X(sm3, avx512)/X(sm3, foo512)/' compiles sm3/sm3.c
lie "a list that is not weakest first" "weakest first" \
    $h 's/X(sm3, aesni) X(sm3, avx2)/X(sm3, avx2) X(sm3, aesni)/' compiles sm3/sm3.c
lie "a tier that has no file" "undefined.*ty_sm3_ops_vaes" \
    $h 's/X(sm3, avx2)/X(sm3, avx2) X(sm3, vaes)/' links sm3/sm3.c
lie "a file that names another level" "error" \
    $w 's/TY_LEVEL avx512/TY_LEVEL avx2/' compiles sm3/sm3_avx512.c
lie "a file that names another level (found by the checker)" "its level is gfni512" \
    $w 's/TY_LEVEL avx512/TY_LEVEL gfni512/' sources
lie "a file of a level that does not exist" "error.*TY_LEVEL is not a level of this machine" \
    $w 's/TY_LEVEL avx512/TY_LEVEL foo512/' compiles sm3/sm3_avx512.c
lie "two levels in one file" "one file, one level"            $w '$a#define TY_LEVEL avx2' sources
lie "an ops struct without a kernel" "missing.*initializer" \
    $w 's/LANES, ty_sm3_step_avx512,/LANES,/' compiles sm3/sm3_avx512.c
lie "an ops struct that ends early" "missing.*initializer" \
    src/sm3/sm3.c 's/{ ty_sm3_blocks_c, 0, 0, 0 }/{ ty_sm3_blocks_c }/' compiles sm3/sm3.c
lie "an ops struct with a kernel above its level" \
    "ty_sm3_ops_avx2 refers to ty_sm3_step_avx512, which needs" \
    src/sm3/sm3_avx2.c \
    's/^void ty_sm3_blocks/void ty_sm3_step_avx512(ty_sm3_lanes *l, size_t n);\n&/
     s/LANES, ty_sm3_step_avx2/LANES, ty_sm3_step_avx512/' \
    disassembles "$sm3"
lie "a tier that no list names" "sm3_avx512.c.*: ty_sm3_ops_avx512 is in no list of tiers" \
    $h 's/ X(sm3, avx512)//' disassembles "$sm3"
lie "assembly under a weaker level's name" "ty_sm3_blocks_aesni: needs" \
    src/sm3/sm3_rounds_x86.S 's/ty_sm3_blocks_avx2/ty_sm3_blocks_aesni/' \
 disassembles sm3/sm3_rounds_x86.S
lie "assembly without a level in its name" "ty_sm3_blocks: needs" \
    src/sm3/sm3_rounds_x86.S 's/ty_sm3_blocks_avx2/ty_sm3_blocks/' \
 disassembles sm3/sm3_rounds_x86.S
lie "a target wider than its level" "TY_TARGET_avx2 grants GFNI" \
    src/base/levels.h 's/",avx2,bmi,/",avx2,gfni,bmi,/' sources
lie "a need without a feature" "TY_NEED_gfni lacks" \
    src/base/levels.h 's/TY_NEED_vaes | TY_CPU_GFNI/TY_NEED_vaes/' sources
lie "the widest target wider than its level" "levels.h:[0-9]*: TY_TARGET_clmul512 grants SHA3" \
    src/base/levels.h 's/,avx512vbmi2"/,avx512vbmi2,arch=armv8.2-a+crypto+sha3"/' sources
lie "a level without a target" "adx has no TY_TARGET_adx"   src/base/levels.h \
    '/TY_TARGET_adx  /d; s/TY_TARGET_adx "/"/' sources
lie "a level in front of a weaker one" \
    "levels.h:[0-9]*: vaes stands before adx in TY_LEVELS and needs more" \
    src/base/levels.h 's/X(adx) X(vaes)/X(vaes) X(adx)/' sources
lie "two features with one bit" "cpu.h:[0-9]*: TY_CPU_SHA3 has the bit of TY_CPU_ASIMD" \
    src/base/cpu.h 's/(1u << 18)/(1u << 17)/' sources
lie "a feature that nothing detects" "cpu.h:[0-9]*: nothing in src/base/cpu.c detects TY_CPU_GFNI" \
    src/base/cpu.c '/TY_CPU_GFNI/d' sources
lie "a target that is unknown" "'foo' is unknown" \
    src/base/levels.h 's/",avx2,bmi,/",avx2,foo,bmi,/' sources
lie "a family that is not listed" "no family of TY_SM3_TIERS" \
    src/about/families.h '/X(sm3, sm3)/d' sources
lie "a listed family that does not exist" "sm5 is not a family" \
    src/about/families.h 's/X(sm3, sm3)/X(sm3, sm3) X(sm5, sm5)/' sources
flags=-DTY_TIER=avx3
lie "a TY_TIER that is not a level" "its levels are: c c64 aesni" \
    $h '1i/* */' compiles sm3/sm3.c
flags=""
lie "a false identity of a modulus" "is false" \
    cards/n_sm2.card 's/0x8dfc2094/0x8dfc2095/' checks gen --check
lie "a composite modulus" "cards/q_mldsa.card:5: prime: q is not prime" \
    cards/q_mldsa.card 's/2^13 + 1/2^13 + 3/' checks gen --check
lie "two cards that write one header" \
    "cards/p_sm2.card: src/mod/n_sm2_const.h is written by cards/n_sm2.card too" \
    cards/p_sm2.card 's/^writes.*/writes  src\/mod\/n_sm2_const.h/' checks gen --check
lie "a card that states nothing" "nothing on this card was checked" \
    cards/f2_193.card '/^irreducible\|^identity\|^check/d' checks gen --check
lie "an unknown keyword on a card" "cards/sm2.card:5: numbre: no such keyword" \
    cards/sm2.card 's/^number      a/numbre      a/' checks gen --check
lie "another generator of a curve" \
    "cards/sec2.card:31: curve sect163r2: the generator is not on it" \
    cards/sec2.card 's/3f0eba16286a2d57/3f0eba16286a2d56/' checks gen --check
lie "the name of another curve" \
    "cards/sec2.card:47: curve sect113r1: sect113r1 is that of the curve in cards/sec2.card:7" \
    cards/sec2.card 's/^curve sect233r1/curve sect113r1/' checks gen --check
lie "another order of a curve" "cards/sec2.card:35: curve sect193r1: n is not" \
    cards/sec2.card 's/acc920eba49/acc920eba4b/' checks gen --check
lie "a constant in the code that its card does not give" "p_sm2_const.h is not what" \
    src/mod/p_sm2_const.h 's/0xfffffffe/0xffffffff/' checks gen --check
lie "a number changed in a table of multiples" "ec_sm2_base.inc is not what" \
    src/ec/tables/ec_sm2_base.inc 's/cd45853b/cd45853c/' checks gen --check
lie "a generated constant changed" "is not what" \
    src/mod/ntt_primes.inc '0,/[2-9]\([0-9]*\)/s//1\1/' checks gen --check
lie "a generated tier that names another kernel" "ec_f2_233_vaes.c is not what" \
    src/ec_f2/ec_f2_233_vaes.c 's/mul_koblitz/mul/' checks gen --check
lie "a public struct that grew" "ty_sm3" \
    include/tongyu/sm3.h 's/uint32_t h\[8\];/uint32_t h[9];/' checks sizes ""
echo "$caught false declarations, all caught"
