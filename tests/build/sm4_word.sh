#!/bin/sh
# The S-boxes of one round on a Cortex-M4: a straight line of at most 200 instructions, none of
# which multiplies, divides or reads a table. A block takes 32 of these: 7,300 modelled cycles in
# all.
#     sm4_word.sh        exit 77 without arm-none-eabi-gcc
set -eu
cd "$(dirname "$0")/../.."
command -v arm-none-eabi-gcc >/dev/null ||
    { echo "sm4_word: skipped: no arm-none-eabi-gcc"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -O2 -ffreestanding -Isrc -Iinclude -c src/sm4/sm4_c.c \
    -o "$dir/sm4.o"
arm-none-eabi-objdump -d --no-show-raw-insn "$dir/sm4.o" |
    awk '/<ty_sm4_tau_c>:/ { on = 1; next } /^$/ { on = 0 } on { print $2 }' >"$dir/tau"
count=$(wc -l <"$dir/tau")
[ "$count" -gt 100 ] || { echo "sm4_word: $count instructions: this is not the S-box"; exit 1; }
branch='^(b|bl|blx|b(eq|ne|cs|cc|mi|pl|hi|ls|ge|lt|gt|le))(\.[nw])?$'
if grep -E "$branch|^(cbn?z|tb[bh]|it|[us]?m[ul][al]|[us]div|ldr)" "$dir/tau"
then
    echo "sm4_word: branches, products or loads"
    exit 1
fi
[ "$count" -le 200 ] || { echo "sm4_word: $count instructions"; exit 1; }
echo "sm4_word: $count instructions without a branch"
