#!/bin/sh
# Runs the arena: builds Tongyu and the peers that the families need, measures, and writes the
# results and the page.
#
#   bench/arena/run.sh [FAMILY...] [-- arguments of the runner]
#
# families: sm4 sm3 sm2 mldsa ec2m mp; all of them if none is named. wiki, only if it is named
#
# ARENA_PEERS="openssl gmsm ..."  only these peers (and Tongyu)
# ARENA_JOBS=2                    compiler processes at once
# TONGYU_LIB=path                 use this libtongyu.so, instead of building one
# TONGYU_OLD=path                 no peers: compare that libtongyu.so with this one (docs/arena.md)
# GCRYPT_LIB, GMSSL_LIB, GMP_LIB, FLINT_LIB, TOMMATH_LIB, CRYPTO_MB_LIB=path
#                                 use this library, instead of the one that is found
#
# A peer that does not build here is reported and omitted. Everything is written to build/arena; see
# docs/arena.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/build/arena
jobs=${ARENA_JOBS:-2}
export CARGO_TARGET_DIR="$out/target"
export CRYPTO_MB_LIB="${CRYPTO_MB_LIB-$root/build/arena-python/lib/libcrypto_mb.so}"

families=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in ml-dsa) family=mldsa ;; *) family=$1 ;; esac   # the names of `tongyu speed`
    families="$families $family"; shift
done
[ $# -eq 0 ] || shift
[ -n "$families" ] || families="sm4 sm3 sm2 mldsa ec2m mp"

say() { printf 'arena: %s\n' "$*"; }
command -v cargo >/dev/null ||
    { say "cargo 1.85 or newer is needed: install Rust with rustup or from your system"; exit 1; }

# quietly NAME COMMAND...: runs it with its output in a log, and shows the time that has passed
quietly() {
    name=$1; log=$out/log/$1.txt; shift
    "$@" >"$log" 2>&1 &
    pid=$!; seconds=0
    while kill -0 $pid 2>/dev/null; do
        sleep 1; seconds=$((seconds + 1))
        if [ -t 1 ]; then
            printf '\rarena: building %s, %d s ' "$name" $seconds
        elif [ $((seconds % 30)) -eq 0 ]; then
            say "building $name, $seconds s"
        fi
    done
    if [ -t 1 ]; then printf '\r\033[K'; fi
    wait $pid
}

tongyu_library() {
    cmake -S "$root" -B "$out/tongyu" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O2 -g" \
        -DTONGYU_CLI=OFF -DTONGYU_TESTS=OFF &&
    cmake --build "$out/tongyu" --target tongyu-shared sm2-field-module -j "$jobs"
}

cargo_library() {
    (cd "$here" && nice -n 10 cargo build --release --locked -j "$jobs" -p "arena-$1") &&
    cp "$CARGO_TARGET_DIR/release/libarena_$(echo "$1" | tr - _).so" "$out/peers/"
}

go_library() {
    (cd "$here/peers/$1" && nice -n 10 go build -p "$jobs" -buildmode=c-shared \
        -o "$out/peers/libarena_$1.so" .)
}

[ -z "${TONGYU_OLD-}" ] || ARENA_PEERS=
wanted() {   # PEER: is it among the chosen peers, and does a chosen family need it?
    [ "$1" = tongyu ] || case " ${ARENA_PEERS-$1} " in *" $1 "*) ;; *) return 1 ;; esac
    for family in $families; do
        case " $(cat "$here/peers/$1/families") " in *" $family "*) return 0 ;; esac
    done
    return 1
}

mkdir -p "$out/log" "$out/peers"

# Two runs in one tree would delete each other's libraries: the second waits for the first.
if command -v flock >/dev/null; then
    exec 9>"$out/lock"
    flock -n 9 || { say "another run uses this folder: waiting for it"; flock 9; }
fi
rm -f "$out"/peers/*.so

if [ -z "${TONGYU_LIB-}" ]; then
    # tried again if it fails: sources may change while a busy machine compiles them
    quietly libtongyu tongyu_library || quietly libtongyu tongyu_library ||
        { tail -n 20 "$out/log/libtongyu.txt"; say "the library does not build"; exit 1; }
    TONGYU_LIB=$out/tongyu/libtongyu.so
fi
export TONGYU_LIB

built=
for folder in "$here"/peers/*/; do
    peer=$(basename "$folder")
    [ -f "$folder/families" ] && wanted "$peer" || continue
    if [ -f "$folder/go.mod" ]; then build=go_library; else build=cargo_library; fi
    if quietly "$peer" $build "$peer"; then
        built="$built $peer"
    else
        say "omitting $peer: it does not build here, see build/arena/log/$peer.txt"
    fi
done
[ -n "$built" ] || { say "no peer could be built"; exit 1; }
say "peers:$built"

quietly runner sh -c "cd '$here' && nice -n 10 cargo build --release --locked -j $jobs -p arena" ||
    { tail -n 20 "$out/log/runner.txt"; exit 1; }
cd "$root"
if [ -n "${TONGYU_OLD-}" ]; then
    # shellcheck disable=SC2086
    exec "$CARGO_TARGET_DIR/release/arena" two $families \
        --old "$TONGYU_OLD" --new "$TONGYU_LIB" "$@"
fi
# shellcheck disable=SC2086
exec "$CARGO_TARGET_DIR/release/arena" run $families "$@"
