#!/bin/sh
# Wheels for other machines, built on this one:  app/python/wheels.sh [TARGET...]
# TARGET is x86_64-linux-gnu.2.28, aarch64-linux-gnu.2.28 or x86_64-linux-musl; without a TARGET all
# three are built. The compiler is that of ziglang, with every libc; four programs examine the
# wheels. All these tools are installed into build/venv-wheels, unless PYTHON names a Python that
# has them. The wheels are then in build/wheels.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
out=$root/build/wheels
tools=$root/build/zig
venv=$root/build/venv-wheels
mkdir -p "$out" "$tools"

python=${PYTHON:-$venv/bin/python}
if [ -z "${PYTHON:-}" ] && [ ! -x "$venv/bin/check-wheel-contents" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --upgrade pip
    "$venv/bin/pip" install --quiet build 'scikit-build-core>=1,<2' wheel ziglang \
        auditwheel abi3audit twine check-wheel-contents zopfli
fi

tag_of() {
    case $1 in
    *-linux-gnu.2.28) echo "manylinux_2_28_${1%%-*}" ;;
    *-linux-musl)     echo "musllinux_1_2_${1%%-*}" ;;
    *) echo "wheels.sh: no target '$1'" >&2; return 2 ;;
    esac
}

# Compresses the wheel again with zopfli, which takes a minute and makes it 3 % smaller than zlib
# does. zipfile uses compressobj's interface; its result is zlib's format without header and
# checksum.
smaller="
import sys, zipfile
from zopfli.zlib import compress

class Deflate:
    def __init__(self, *_): self.data = b''
    def compress(self, data): self.data += data; return b''
    def flush(self): return compress(self.data)[2:-4]

with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], 'w') as new:
    zipfile._get_compressor = Deflate
    for member in old.infolist():
        new.writestr(member, old.read(member), zipfile.ZIP_DEFLATED)
"

all="x86_64-linux-gnu.2.28 aarch64-linux-gnu.2.28 x86_64-linux-musl"
for target in "${@:-$all}"; do for t in $target; do
    tag=$(tag_of "$t")
    cc=$tools/cc-$t
    printf '#!/bin/sh\nexec "%s" -m ziglang cc -target %s "$@"\n' \
        "$(command -v "$python")" "$t" >"$cc"
    chmod +x "$cc"
    made=$(mktemp -d)
    CC=$cc ASM=$cc "$python" -m build --no-isolation --wheel --outdir "$made" \
        -Cbuild-dir="$root/build/wheel-$t" -Ccmake.define.CMAKE_ASM_COMPILER="$cc" .
    "$python" -m wheel tags --remove --platform-tag "$tag" "$made"/*.whl >/dev/null
    wheel=$(ls "$made"/*.whl)
    "$python" -c "$smaller" "$wheel" "$out/$(basename "$wheel")"
    rm -rf "$made"
done; done

# twine checks that a registry accepts the metadata, abi3audit that only the limited API is used.
"$python" -m twine check --strict "$out"/*.whl
for wheel in "$out"/*.whl; do
    "$python" -m auditwheel show "$wheel" || true   # may fail for another architecture
    "$python" -m abi3audit --strict --assume-minimum-abi3 3.11 "$wheel"
    "$python" -m check_wheel_contents "$wheel"
    [ "$(stat -c %s "$wheel")" -lt 1200000 ] ||
        { echo "wheels.sh: $wheel is larger than 1.2 MB" >&2; exit 1; }
done
ls -l "$out"
