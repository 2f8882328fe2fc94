#!/bin/sh
# musl: builds the library with Debian's musl-gcc, as strict C11, and runs the known answers of
# every family as a static program.
set -eu
cd "$(dirname "$0")/../.."
command -v musl-gcc >/dev/null ||
    { echo "skipped: no musl-gcc (apt-get install musl-tools)"; exit 77; }
dir=build/musl-gcc
rm -rf "$dir" && mkdir -p "$dir"
for source in src/*/*.c src/*/*.S; do echo "$source"; done | xargs -P "$(nproc)" -I SOURCE sh -c '
    exec musl-gcc -std=c11 -O2 -Isrc -Iinclude -Wall -Wextra -Wpedantic -Wno-type-limits -Werror \
        -c "$1" -o "$2/$(echo "$1" | tr / _).o"' sh SOURCE "$dir"
musl-gcc -std=c11 -O2 -static -Iinclude tests/platforms/known_answers.c "$dir"/*.o \
    -o "$dir/known_answers"
"$dir/known_answers"
