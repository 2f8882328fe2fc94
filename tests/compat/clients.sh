#!/bin/sh
# The distribution's own programs on our libtommath.so.1:  clients.sh DIRECTORY-OF-THE-LIBRARY
# dropbearkey makes keys of every kind and reads them back; all of it is libtomcrypt on our integers.
# 77 (skipped) where dropbear-bin is not installed or TONGYU_TEST_FULL is not set.
set -eu
case ${1:-} in ''|-h|--help) sed -n '2,4p' "$0" | cut -c3-; exit 2 ;; esac
[ "${TONGYU_TEST_FULL:-}" ] || { echo "SKIPPED: a test of make test-full"; exit 77; }
key=$(command -v "${DROPBEARKEY:-dropbearkey}") || { echo "SKIPPED: dropbearkey is not installed (package dropbear-bin)"; exit 77; }
LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
ldd "$key" | grep -q "libtommath.so.1 => $1/" || { echo "SKIPPED: $key does not use libtommath.so.1"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

made=0
for kind in "rsa 1024" "rsa 2048" "rsa 4096" "ecdsa 256" "ecdsa 384" "ecdsa 521" "ed25519 256" "dss 1024"; do
    set -- $kind
    rm -f host
    "$key" -t "$1" -s "$2" -f host >made 2>&1 || { grep -qi "unknown key type" made && continue; cat made; exit 1; }
    "$key" -y -f host >shown    # reads the key back and computes its public half again
    grep -q "^Fingerprint" shown || { echo "$kind: no fingerprint"; exit 1; }
    if [ "$1" = rsa ] && command -v ssh-keygen >/dev/null; then
        grep "^ssh-rsa" shown >host.pub
        ssh-keygen -l -f host.pub | grep -q "^$2 " || { echo "$kind: ssh-keygen does not read it"; exit 1; }
    fi
    made=$((made + 1))
done
echo "clients: $made keys made and read back"
