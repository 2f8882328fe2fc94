#!/bin/bash
# Tests a build for Windows under Wine: the DLL exports what the headers declare, and the command
# passes the demonstration, with this machine's OpenSSL command as its peer:
#     wine.sh BUILD-DIRECTORY
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
command -v wine >/dev/null || { echo "skipped: no wine (apt-get install wine wine64)"; exit 77; }
export WINEDEBUG=-all WINEPREFIX="${WINEPREFIX:-$PWD/build/wine}"
# A server that stays: one that is about to end refuses a program that begins just then.
server=$(command -v wineserver || ls /usr/lib/wine/wineserver* | head -n 1)
"$server" -p || true
trap '"$server" -k || true' EXIT

dll=$(ls "$build"/bin/libtongyu*.dll)
LC_ALL=C x86_64-w64-mingw32-objdump -p "$dll" |
    awk '/\[Ordinal\/Name Pointer\] Table/ { on = 1; next }
         on && NF == 0 { exit }
         on { print $NF }' |
    sort >"$build/exported"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tools \
    python3 -c 'import symbols; print(*symbols.declared(), sep="\n")' | sort >"$build/declared"
diff "$build/declared" "$build/exported" ||
    { echo "wine.sh: the DLL exports other names than the headers declare" >&2; exit 1; }
echo "wine: $(wc -l <"$build/exported") functions exported"

# A program that finds the DLL in its own folder.
x86_64-w64-mingw32-gcc-posix -std=c11 -O1 -Iinclude tests/platforms/known_answers.c \
    "$build"/libtongyu.dll.a \
    -o "$build/bin/known_answers.exe"
wine "$build/bin/known_answers.exe"

# a command that hangs is an error
printf '#!/bin/sh\nexec timeout 300 wine "%s/bin/tongyu.exe" "$@"\n' "$build" >"$build/tongyu"
chmod +x "$build/tongyu"
tools/demo.sh "$build/tongyu" "$build/demo"
