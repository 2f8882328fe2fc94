#!/bin/sh
# The longer checks of the Python package:  app/python/check.sh [STEP...]
# STEP is wheel, types, docs or asan; without a STEP all are run, in a virtual environment that is
# made in build/venv-python.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
venv=$root/build/venv-python
tools="build mypy pyright typing_extensions pytest-timeout"

if [ ! -x "$venv/bin/pytest" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --upgrade pip
    # The other libraries to compare with, at the versions of pyproject.toml, and the checkers.
    extras=$(python3 -c 'import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["test"])')
    # shellcheck disable=SC2086  # lists of packages
    "$venv/bin/pip" install --quiet $extras $tools
fi

# A wheel from an sdist, as on a user's machine for which there is no wheel; then it is installed in
# a new environment, where its self-test runs with no compiler in PATH, and all tests run.
wheel_step() {
    rm -rf "$root/build/dist"
    "$venv/bin/python" -m build --outdir "$root/build/dist" .
    "$venv/bin/pip" install --quiet --force-reinstall --no-deps "$root"/build/dist/*.whl
    clean=$(mktemp -d)
    python3 -m venv "$clean/venv"
    "$clean/venv/bin/pip" install --quiet --no-index "$root"/build/dist/*.whl
    (cd "$clean" && PATH=/nowhere "$clean/venv/bin/python" -m tongyu)
    rm -rf "$clean"
    (cd tests && "$venv/bin/pytest" --timeout 1200 -q .)
}

types_step() {
    "$venv/bin/mypy" --strict tongyu
    if command -v node >/dev/null; then "$venv/bin/pyright"
    else echo "skipped: pyright needs node"; fi
    # The stub of the extension. Not in the folder of the sources, so that the installed package is
    # checked, with the same settings as mypy above.
    (cd tests && "$venv/bin/stubtest" --mypy-config-file ../pyproject.toml tongyu._tongyu)
}

docs_step() {
    "$venv/bin/python" -P docs.py --check
}

# The C objects under $1 that have code, but do not use AddressSanitizer.
without_sanitizer() {
    find "$1" -name '*.c.o' | while read -r object; do
        names=$(nm "$object")
        case $names in
        *__asan_*) ;;
        *" T "*|*" t "*) basename "$object" ;;
        esac
    done
}

# The extension and the library with AddressSanitizer and UndefinedBehaviorSanitizer, in an
# interpreter that has neither. An object without them would go unnoticed, so all are examined.
asan_step() {
    made=$root/build/python-asan
    flags="-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    cmake -S . -B "$made" -G Ninja -DPython3_EXECUTABLE="$venv/bin/python" \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="$flags -fno-omit-frame-pointer"
    cmake --build "$made"
    bare=$(without_sanitizer "$made")
    [ -z "$bare" ] || { echo "check.sh: objects without AddressSanitizer: $bare" >&2; return 1; }
    preload=$(cc -print-file-name=libasan.so):$(cc -print-file-name=libubsan.so)
    options=detect_leaks=0:malloc_context_size=1   # recording longer stacks takes most of the time
    (cd tests && LD_PRELOAD=$preload ASAN_OPTIONS=$options PYTHONMALLOC=malloc \
        PYTHONPATH="$made/python" "$venv/bin/python" -P quick.py -p no:faulthandler)
}

for step in "${@:-wheel types docs asan}"; do
    for s in $step; do echo "== $s"; "${s}_step"; done
done
