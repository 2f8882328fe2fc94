#!/bin/sh
# Installs the programs that matrix.py runs in build/interop, pinned except OpenSSL:  setup.sh
# What cannot be installed is reported, and the matrix omits its column. go, java with mvn, node
# with npm and python3 are used as installed. Debian 13, for OpenSSL 3.5, is a small system made by
# debootstrap (root; about 300 MB), the one of tests/provider/versions.sh if that is there, or
# TONGYU_DEBIAN13.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(cd "$here/../.." && pwd)/build/interop
mkdir -p "$work"
cd "$work"

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "interop: without $1" >&2; }

# step NAME COMMAND: runs COMMAND once, and again when its sources have changed
step() {
    name=$1; shift
    made=$(cat "$here/setup.sh" "$here/$name"/* 2>/dev/null | cksum)
    [ "$(cat "$name.made" 2>/dev/null)" = "$made" ] && return 0
    echo "==> $name"
    if "$@" >"$name.log" 2>&1; then
        echo "$made" >"$name.made"
    else
        tail -n 3 "$name.log" >&2; skip "$name"
    fi
}

gmsm() { (cd "$here/gmsm" && go build -o "$work/gmsm" .); }
bc() {
    mvn -q -B -f "$here/bc/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/bc" &&
    javac -d bc -cp 'bc/*' "$here/bc/Peer.java"
}
smcrypto() { mkdir -p smcrypto && cp "$here"/smcrypto/* smcrypto/ &&
    (cd smcrypto && npm install --silent --no-audit --no-fund); }
gmssl() { python3 -m venv gmssl && gmssl/bin/pip install --quiet gmssl==3.2.2 &&
    cp "$here/gmssl/peer.py" gmssl/; }
debian13() {
    [ "$(id -u)" = 0 ] && has debootstrap || return 1
    rm -rf debian13
    debootstrap --variant=minbase --include=openssl trixie debian13 >/dev/null
}

if has go; then step gmsm gmsm; else skip "gmsm: no go"; fi
if has mvn && has javac; then step bc bc; else skip "BouncyCastle: no mvn or javac"; fi
if has npm; then step smcrypto smcrypto; else skip "sm-crypto: no npm"; fi
step gmssl gmssl
if [ -z "${TONGYU_DEBIAN13:-}" ] && [ ! -e ../provider/debian13/complete ]; then
    step debian13 debian13
fi
