#!/bin/sh
# The Python package beside others, in one process:  make bench-python
# What is measured beside it is installed into build/venv-bench, if a package index can be reached.
set -eu
cd "$(dirname "$0")/../.."
venv=build/venv-bench
if [ ! -x $venv/bin/pyperf ]; then
    python3 -m venv $venv
    $venv/bin/pip install --quiet --upgrade pip
    $venv/bin/pip install --quiet pyperf
    for other in cryptography gmpy2 gmssl tongsuopy; do
        $venv/bin/pip install --quiet $other || echo "bench-python: no $other, its column stays empty" >&2
    done
fi
$venv/bin/pip install --quiet --force-reinstall --no-deps ./app/python
exec $venv/bin/python bench/python/bench.py "$@"
