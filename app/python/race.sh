#!/bin/sh
# Tests of threads in the Python package under ThreadSanitizer, in a Python without the GIL:
#   app/python/race.sh SOURCE [options of pytest]
# SOURCE holds CPython's sources, 3.13 or newer (apt-get source python3.13); it is built there once,
# in ten minutes. Needs clang; pytest is that of the installed python3.
set -eu
source=$(cd "${1:?race.sh: name the folder of CPython sources}" && pwd)
shift
cd "$(dirname "$0")/../.."
made=$PWD/build/race
if [ ! -x "$source/python" ]; then
    (cd "$source" && setarch -R ./configure --disable-gil --with-thread-sanitizer \
        --without-ensurepip --disable-test-modules CC=clang CFLAGS="-O1 -g1" >configure.log \
        && setarch -R make -s -j2 >make.log 2>&1) || { tail -3 "$source"/*.log >&2; exit 1; }
fi

# The library and the module, all files compiled with ThreadSanitizer, in a folder of their own.
mkdir -p "$made/tongyu"
find src app/python/src -name '*.[cS]' | xargs -P 2 -I FILE sh -c 'o=$1/$(echo FILE | tr / _).o
    [ "$o" -nt FILE ] || clang -std=gnu11 -fsanitize=thread -O1 -g1 -fPIC -fvisibility=hidden \
        -Iinclude -Isrc -I"$2/Include" -I"$2" -c FILE -o "$o"' sh "$made" "$source"
clang -fsanitize=thread -shared -o "$made/tongyu/_tongyu.so" "$made"/*.o
cp app/python/tongyu/*.py "$made/tongyu/"

packages=$(python3 -c 'import pathlib, pytest; print(pathlib.Path(pytest.__file__).parents[1])')
cd app/python/tests
export PYTHONPATH="$made:$packages" PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
export TSAN_OPTIONS="exitcode=66 suppressions=$source/Tools/tsan/suppressions_free_threading.txt"
setarch -R "$source/python" -B -m pytest -p no:cacheprovider -q -s "${@:-test_threads.py}"
