#!/bin/sh
# The Python package compared with others, in one process:  make bench-python
# The others are installed into build/venv-bench, if a package index can be reached.
set -eu
cd "$(dirname "$0")/../.."
venv=build/venv-bench
if [ ! -x $venv/bin/pyperf ]; then
    python3 -m venv $venv
    $venv/bin/pip install --quiet --upgrade pip
    $venv/bin/pip install --quiet pyperf
    for other in cryptography gmpy2 gmssl tongsuopy; do
        $venv/bin/pip install --quiet $other ||
            echo "bench-python: no $other, its column stays empty" >&2
    done
fi
$venv/bin/pip install --quiet --force-reinstall --no-deps ./app/python
# The same calls in C, against the library of the usual build.
cmake --preset release >/dev/null
cmake --build --preset release --target tongyu >/dev/null
cc -O2 -shared -fPIC -Iinclude bench/python/direct.c build/release/libtongyu.a -lpthread \
    -o $venv/direct.so
export TONGYU_DIRECT=$PWD/$venv/direct.so
exec $venv/bin/python bench/python/bench.py "$@"
