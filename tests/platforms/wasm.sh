#!/bin/sh
# WebAssembly: builds the library with WASI's C library, as strict C11 and without a warning, and
# runs the known answers of every family under node. Of src/os only randomness is included: WASI has
# no threads, and no files as src/os needs them.
set -eu
. "$(dirname "$0")/zig.sh"
command -v node >/dev/null || { echo "skipped: no node (apt-get install nodejs)"; exit 77; }
dir=build/wasm
rm -rf "$dir" && mkdir -p "$dir"

parts wasm32-wasi "$dir/o" -std=c11 -O2 -Wall -Wextra -Wpedantic -Wno-type-limits -Werror
zig wasm32-wasi cc -std=c11 -O2 -Iinclude tests/platforms/known_answers.c "$dir"/o/*.o \
    -o "$dir/known_answers.wasm" \
    -Wl,-z,stack-size=1048576
node --no-warnings --experimental-wasi-unstable-preview1 tests/platforms/run_wasi.mjs \
    "$dir/known_answers.wasm"

# A web page calls functions by name: a module without main, called from JavaScript.
zig wasm32-wasi cc -std=c11 -O2 -mexec-model=reactor -s "$dir"/o/*.o -o "$dir/tongyu.wasm" \
    -Wl,-z,stack-size=1048576 \
    -Wl,--export=malloc -Wl,--export=free -Wl,--export=ty_sm3_hash -Wl,--export=ty_sm4_init \
    -Wl,--export=ty_sm4_ecb_encrypt
node --no-warnings --experimental-wasi-unstable-preview1 tests/platforms/call_wasm.mjs \
    "$dir/tongyu.wasm"
echo "wasm: $(wc -c <"$dir/tongyu.wasm") bytes with three functions exported"
