#!/bin/sh
# Install into an empty folder, then build and run a program against it as a user would, four ways:
# find_package and pkg-config, shared and static.    install.sh BUILD_DIR VERSION
set -eu
build=$1 version=$2 cc=${CC:-cc}
consumer=$(cd "$(dirname "$0")" && pwd)/consumer
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cmake --install "$build" --prefix "$dir/usr" >"$dir/log" || { cat "$dir/log"; exit 1; }

cmake -S "$consumer" -B "$dir/build" -DCMAKE_PREFIX_PATH="$dir/usr" -DCMAKE_C_COMPILER="$cc" \
    -DWANT_VERSION="$version" \
      >"$dir/log" 2>&1 && cmake --build "$dir/build" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
"$dir/build/consumer-shared"
"$dir/build/consumer-static"

# `make install` installs libtommath.so.1 if it is asked to, and not because an earlier
# configuration had it
made() {  # prints the arguments with which `make install "$@"` runs cmake
    make -n -s -C "$consumer/../../.." install "$@" |
        sed -n 's/^cmake --preset release *\(.*\) >build.*/\1/p'
}
flags=$(made)
case $flags in
*-DTONGYU_TOMMATH=OFF*) ;;
*) echo "install.sh: make install configures '$flags'" >&2; exit 1 ;;
esac
for asked in -DTONGYU_TOMMATH=ON "$flags"; do
    # shellcheck disable=SC2086  # a list of flags
    cmake -S "$consumer/../../.." -B "$dir/configured" -DTONGYU_TESTS=OFF $asked >"$dir/log" 2>&1 ||
        { cat "$dir/log"; exit 1; }
    grep -q libtommath "$dir/configured/cmake_install.cmake" && installs=yes || installs=no
    case $asked,$installs in *TOMMATH=ON,yes|*TOMMATH=OFF*,no) ;;
    *) echo "install.sh: configured with '$asked', libtommath is installed: $installs" >&2
       exit 1 ;;
    esac
done

# A build without tests does not decide that a later one with tests has no simulated accelerator.
if grep '^TONGYU_SIM:.*=OFF' "$dir/configured/CMakeCache.txt"; then
    echo "install.sh: without tests the simulated accelerator is left out for ever" >&2
    exit 1
fi

# folders that do not depend on the prefix
cmake -S "$consumer/../../.." -B "$dir/configured" -DCMAKE_INSTALL_LIBDIR=/opt/l \
    -DCMAKE_INSTALL_INCLUDEDIR=/opt/i -DTONGYU_TOMMATH=ON >"$dir/log" 2>&1 ||
    { cat "$dir/log"; exit 1; }
for name in tongyu libtommath; do
    { grep -qx 'libdir=/opt/l' "$dir/configured/$name.pc" &&
        grep -q '^includedir=/opt/i\(/tongyu/compat\)*$' "$dir/configured/$name.pc"; } ||
        { echo "install.sh: wrong folders:" >&2; cat "$dir/configured/$name.pc" >&2; exit 1; }
    grep -q '^Libs.private: -pthread' "$dir/configured/$name.pc" ||
        { echo "install.sh: $name.pc: no Libs.private for the static library" >&2; exit 1; }
done

# A provider that was asked for and cannot be built is an error.
if cmake -S "$consumer/../../.." -B "$dir/provider" -DTONGYU_CLI=OFF -DTONGYU_PROVIDER=ON \
    -DOPENSSL_HEADERS:PATH=OFF >"$dir/log" 2>&1; then
    echo "install.sh: configured without the provider that was asked for" >&2
    exit 1
fi
grep -q 'the headers of OpenSSL 3.0 are missing' "$dir/log" || { cat "$dir/log"; exit 1; }

# A prefix with a space is one word.
eval "set -- $(made PREFIX='/opt/two words')"
case " $* " in *" -DCMAKE_INSTALL_PREFIX=/opt/two words "*) ;;
*) echo "install.sh: no prefix '/opt/two words' in: $*" >&2; exit 1 ;;
esac
for word do
    [ "$word" != words ] || { echo "install.sh: a prefix of two words is taken apart" >&2; exit 1; }
done

# CC of two words is one argument, and the folder is the next.
eval "set -- $(make -n -s -C "$consumer/../../.." amalgamation CC='ccache gcc' |
    sed -n 's|^tests/compat/amalgamation.sh ||p')"
[ $# = 2 ] && [ "$1" = "ccache gcc" ] ||
    { echo "install.sh: make amalgamation passes: $*" >&2; exit 1; }

pc=$(find "$dir/usr" -name tongyu.pc)
[ -n "$pc" ] || { echo "install.sh: no tongyu.pc was installed" >&2; exit 1; }
pkg() {
    PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --define-variable=prefix="$dir/usr" "$@" tongyu
}
[ "$(pkg --modversion)" = "$version" ] ||
    { echo "install.sh: tongyu.pc has version $(pkg --modversion)" >&2; exit 1; }
# shellcheck disable=SC2046  # lists of words
"$cc" $(pkg --cflags) "$consumer/consumer.c" $(pkg --libs) -o "$dir/shared"
# shellcheck disable=SC2046
"$cc" -static $(pkg --cflags) "$consumer/consumer.c" $(pkg --static --libs) -o "$dir/static"
LD_LIBRARY_PATH=$(pkg --variable=libdir) "$dir/shared"
"$dir/static"

# the shared programs must be linked to the shared library, the static ones not
for f in "$dir/build/consumer-shared" "$dir/shared"; do
    readelf -d "$f" | grep -q 'NEEDED.*libtongyu\.so\.' ||
        { echo "install.sh: $f is not linked to the .so" >&2; exit 1; }
done
for f in "$dir/build/consumer-static" "$dir/static"; do
    if readelf -d "$f" | grep -q libtongyu; then echo "install.sh: $f needs the .so" >&2; exit 1; fi
done
