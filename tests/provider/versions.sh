#!/bin/sh
# The same module in OpenSSL 3.0, 3.5 and 4.0:
#     versions.sh BUILD-DIRECTORY
# Runs the programs of tests/provider with each, compares with other implementations (oracles.py),
# and compares the table of docs/openssl.md with the results. Debian 13 is a small system under
# build/, made once by debootstrap (root; about 600 MB). OpenSSL 4.0 and Tongsuo are built from
# their crates, or 4.0 is the installed one that TONGYU_OPENSSL4 names (a prefix). What is missing
# is reported, and the table is compared only if all three are there.
set -eu
case ${1:-} in ''|-h|--help) sed -n '2,8p' "$0" | cut -c3-; exit 2 ;; esac
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$root/build/provider
here=$root/tests/provider
programs="digest_cipher aead pipeline sm2 mldsa module vectors negative bad fault"
mkdir -p "$work"
cd "$work"

echo "== OpenSSL of this system"
for p in $programs; do "$build/bin/test-provider-$p"; done
"$here/clients.sh" "$build/provider" all "$work/rows-3.0"

debian13() {   # Debian 13 and what clients.sh runs, under $work/debian13
    [ -e debian13/complete ] && return 0
    [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null \
        || { echo "SKIPPED Debian 13: it needs root and debootstrap"; return 1; }
    rm -rf debian13
    debootstrap --variant=minbase trixie debian13 >debootstrap.log \
        || { tail -n 3 debootstrap.log; return 1; }
    chroot debian13 sh -c \
        'printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends \
            openssl nginx-light haproxy stunnel4 curl python3-minimal libpython3-stdlib \
                libstdc++6' >>debootstrap.log 2>&1 || return 1
    touch debian13/complete
}
complete=1
if debian13; then
    echo "== OpenSSL of Debian 13"
    rm -rf debian13/check && mkdir -p debian13/check/module
    cp "$build/provider/tongyu.so" debian13/check/module/
    cmp "$build/provider/tongyu.so" debian13/check/module/tongyu.so
    cp "$here"/clients*.sh debian13/check/
    for p in $programs; do
        cp "$build/bin/test-provider-$p" debian13/check/
        chroot debian13 env TONGYU_PROVIDER_DIR=/check/module "/check/test-provider-$p"
    done
    chroot debian13 sh /check/clients.sh /check/module all /check/rows
    cp debian13/check/rows rows-3.5
else complete=""; fi

sources() {   # CRATE VERSION FOLDER: copies that folder of the crate to $work/FOLDER
    command -v cargo >/dev/null || { echo "no cargo"; return 1; }
    mkdir -p "crate-$1/src"
    cat >"crate-$1/Cargo.toml" <<EOF
[package]
name = "sources"
version = "0.1.0"
edition = "2021"
[dependencies]
$1 = "=$2"
[workspace]
EOF
    echo 'fn main() {}' >"crate-$1/src/main.rs"
    (cd "crate-$1" && cargo vendor --quiet vendor >/dev/null) || return 1
    rm -rf "$3" && cp -a "crate-$1/vendor/$1/$3" "$3"
}
# OpenSSL 4.0 and Tongsuo are compiled with -O1: their speed does not matter, and -O3 takes twice
# as long.
openssl4() {   # builds libcrypto.a and the openssl command, unless a prefix is named
    [ -z "${TONGYU_OPENSSL4:-}" ] || return 0
    [ -x openssl/apps/openssl ] && return 0
    sources openssl-src 400.0.2 openssl || {
        echo "SKIPPED OpenSSL 4.0: no sources, and TONGYU_OPENSSL4 names none"; return 1; }
    (cd openssl && ./Configure CFLAGS=-O1 no-legacy no-shared no-tests no-docs &&
        make -j"$(nproc)" build_programs) >openssl.log 2>&1 || { tail -n 3 openssl.log; return 1; }
}
if openssl4; then
    echo "== OpenSSL 4.0"
    if [ -n "${TONGYU_OPENSSL4:-}" ]; then
        command=$TONGYU_OPENSSL4/bin/openssl include=$TONGYU_OPENSSL4/include
        library=$(ls "$TONGYU_OPENSSL4"/lib*/libcrypto.a "$TONGYU_OPENSSL4"/lib*/libcrypto.so \
            2>/dev/null | head -n 1)
    else command=$work/openssl/apps/openssl include=$work/openssl/include \
        library=$work/openssl/libcrypto.a; fi
    for p in $programs; do
        ${CXX:-c++} -std=c++17 -O0 -I"$include" -I"$root/tests" -I"$root/src" -I"$root/include" \
            "$here/test_$p.cc" -o "test4-$p" \
            "$build/tests/libtest-support.a" "$build/libtongyu.a" "$library" -lgtest_main -lgtest \
                -ldl -lpthread
        TONGYU_PROVIDER_DIR=$build/provider "./test4-$p"
    done
    OPENSSL=$command "$here/clients.sh" "$build/provider" openssl "$work/rows-4.0"
else complete=""; fi

tongsuo() {
    [ -x tongsuo/apps/openssl ] && return 0
    sources tongsuo-src 850.1.1 tongsuo || { echo "SKIPPED Tongsuo: no sources"; return 1; }
    (cd tongsuo && ./Configure CFLAGS=-O1 no-legacy no-shared no-tests no-quic no-cmp no-ct \
        no-ts no-slh-dsa no-engine &&
        make -j"$(nproc)" build_programs) >tongsuo.log 2>&1 || { tail -n 3 tongsuo.log; return 1; }
}
echo "== Others"
rc=0
if tongsuo; then "$here/oracles.py" "$build/provider" "$work/tongsuo/apps/openssl" || rc=$?
else "$here/oracles.py" "$build/provider" || rc=$?; fi
[ $rc -eq 0 ] || [ $rc -eq 77 ] || exit $rc

if [ -z "$complete" ]; then
    echo "versions: a version was missing; the table of docs/openssl.md is not compared"
    exit 0
fi
"$root/tools/provider_table.py" --check rows-3.0 rows-3.5 rows-4.0
echo "versions: one module works in all three, as the table of docs/openssl.md has it"
