#!/bin/sh
# The DuckDB extension:  app/duckdb/build.sh [LIBTONGYU.A [OUTPUT]]
# OUTPUT: build/duckdb/tongyu.duckdb_extension by default. If no library is named, this script
# builds one, with CMake and Ninja, in build/duckdb/library. DuckDB's headers are extracted once
# from the crate libduckdb-sys, unless $DUCKDB_HEADERS names a folder with duckdb.h and
# duckdb_extension.h.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
crate=1.20000.1   # of DuckDB 2.0.0; the extension needs only the interface of 1.2
out=$(realpath -m "${2:-$root/build/duckdb/tongyu.duckdb_extension}")
work=$root/build/duckdb
headers=${DUCKDB_HEADERS:-$work/headers-$crate}
mkdir -p "$work" "$(dirname "$out")"

if [ ! -f "$headers/duckdb_extension.h" ]; then
    command -v cargo >/dev/null ||
        { echo "build.sh: set DUCKDB_HEADERS, or install cargo" >&2; exit 1; }
    mkdir -p "$work/crate" "$headers"
    cat >"$work/crate/Cargo.toml" <<EOF
[package]
name = "headers"
version = "0.0.0"
edition = "2021"
[lib]
path = "none.rs"
[dependencies]
libduckdb-sys = { version = "=$crate", default-features = false }
EOF
    : >"$work/crate/none.rs"
    (cd "$work/crate" && CARGO_HOME=$work/cargo cargo fetch --quiet)
    for name in duckdb.h duckdb_extension.h; do
        tar -xzOf "$work"/cargo/registry/src/*/libduckdb-sys-$crate/duckdb.tar.gz \
            duckdb/src/include/$name >"$work/$name.part"
        mv "$work/$name.part" "$headers/$name"   # so that it is complete or absent
    done
    rm -rf "$work/crate" "$work/cargo"
fi

if [ "${1:-}" ]; then library=$(realpath "$1")
else
    library=$work/library/libtongyu.a
    { cmake -S "$root" -B "$work/library" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTONGYU_TESTS=OFF \
        -DTONGYU_CLI=OFF &&
        cmake --build "$work/library" --target tongyu; } >"$work/library.log" ||
        { cat "$work/library.log" >&2; exit 1; }
fi

version=$(sed -n 's/.*TY_VERSION_STRING[^"]*"\(.*\)".*/\1/p' "$root/include/tongyu/base.h")
cd "$root/app"
# Only one symbol is exported, and code that is not reachable from it is dropped.
${CC:-cc} -std=gnu11 -O2 ${CFLAGS:-} -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wshadow \
    -Wno-missing-field-initializers \
    -ffile-prefix-map="$root"=. -I../include -isystem "$headers" \
    duckdb/*.c python/src/_tongyu/column_work.c "$library" -lpthread \
    -Wl,-z,defs -Wl,-z,relro,-z,now -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-Bsymbolic \
    -o "$work/tongyu.so"
python3 duckdb/footer.py "$work/tongyu.so" "$out" "v$version"
echo "$out"
