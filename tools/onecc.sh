#!/bin/sh
# Build the library with one line and check the result:  tools/onecc.sh [CC [FLAGS...]]
# No configure step, no flags for single files: every source guards itself. CC may be a cross
# compiler (tools/onecc.sh aarch64-linux-gnu-gcc); the result is then checked but not loaded.
set -eu
case ${1:-} in -h|--help) sed -n '2,4p' "$0" | cut -c3-; exit 0 ;; esac
cd "$(dirname "$0")/.."
cc=${1:-cc}
[ $# -eq 0 ] || shift
command -v "$cc" >/dev/null || { echo "onecc.sh: there is no $cc" >&2; exit 1; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lib=$dir/libtongyu.so

set -- -O2 -fPIC -shared -fvisibility=hidden -Isrc -Iinclude "$@" src/*/*.c src/*/*.S -o "$lib"
for word do                               # a pattern without a match stands for itself
    shift
    case $word in 'src/*/*.S') continue ;; esac
    set -- "$@" "$word"
done
"$cc" "$@"

# Everything that the headers declare must be defined, and no name of the library may be undefined.
triplet=${cc%gcc}
[ "$triplet" != "$cc" ] && command -v "${triplet}nm" >/dev/null || triplet=""
want=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tools \
    python3 -c 'import symbols; print(*symbols.declared(), sep="\n")')
"${triplet}nm" -D --defined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' | sort >"$dir/have"
missing=$(echo "$want" | sort | comm -23 - "$dir/have")
[ -z "$missing" ] || { echo "onecc.sh: declared but not defined:" $missing >&2; exit 1; }
foreign=$("${triplet}nm" -D --undefined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' |
    grep '^ty_' || true)
[ -z "$foreign" ] || { echo "onecc.sh: used but not defined:" $foreign >&2; exit 1; }
"${triplet}readelf" -lW "$lib" | grep -q 'GNU_STACK.*RW ' ||
    { echo "onecc.sh: executable stack" >&2; exit 1; }

loaded="not loaded: for another machine"
if [ "$("$cc" -dumpmachine | cut -d- -f1)" = "$(uname -m)" ]; then
    python3 - "$lib" <<'PY'
import ctypes, sys
lib, out = ctypes.CDLL(sys.argv[1]), ctypes.create_string_buffer(32)
lib.ty_sm3_hash(out, b"abc", ctypes.c_size_t(3))
want = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
sys.exit(0 if out.raw.hex() == want else f"onecc.sh: SM3(abc) = {out.raw.hex()}")
PY
    loaded="loads and runs"
fi
functions=$(echo "$want" | wc -l)
echo "onecc: $("$cc" -dumpmachine), $functions functions, $(wc -c <"$lib") bytes, $loaded"
