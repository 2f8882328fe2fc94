#!/bin/sh
# The distribution's own programs on our libtommath.so.1:  clients.sh DIRECTORY-OF-THE-LIBRARY
# dropbearkey makes keys of every kind and reads them back, and a dropbear server exchanges keys
# with dbclient and, where it is installed, OpenSSH's ssh: signatures and key agreements by
# libtomcrypt on our integers. No user logs in. Exits with 77 (skipped) where dropbear-bin is not
# installed or TONGYU_TEST_FULL is not set.
set -eu
case ${1:-} in ''|-h|--help) sed -n '2,6p' "$0" | cut -c3-; exit 2 ;; esac
[ "${TONGYU_TEST_FULL:-}" ] || { echo "SKIPPED: a test of make test-full"; exit 77; }
key=$(command -v "${DROPBEARKEY:-dropbearkey}") ||
    { echo "SKIPPED: dropbearkey is not installed (package dropbear-bin)"; exit 77; }
LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
ldd "$key" | grep -q "libtommath.so.1 => $1/" ||
    { echo "SKIPPED: $key does not use libtommath.so.1"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

made=0
for kind in "rsa 1024" "rsa 2048" "rsa 4096" "ecdsa 256" "ecdsa 384" "ecdsa 521" \
            "ed25519 256" "dss 1024"; do
    set -- $kind
    rm -f host
    if ! "$key" -t "$1" -s "$2" -f host >made 2>&1; then
        grep -qi "unknown key type" made && continue
        cat made; exit 1
    fi
    "$key" -y -f host >shown    # reads the key back and computes its public half again
    grep -q "^Fingerprint" shown || { echo "$kind: no fingerprint"; exit 1; }
    if [ "$1" = rsa ] && command -v ssh-keygen >/dev/null; then
        grep "^ssh-rsa" shown >host.pub
        ssh-keygen -l -f host.pub | grep -q "^$2 " ||
            { echo "$kind: ssh-keygen does not read it"; exit 1; }
    fi
    cp host "host-$1-$2"
    made=$((made + 1))
done
echo "clients: $made keys made and read back"

server=$(command -v "${DROPBEAR:-dropbear}" || command -v /usr/sbin/dropbear) ||
    { echo "clients: dropbear is not installed, no key exchange"; exit 0; }
client=$(command -v "${DBCLIENT:-dbclient}" || true)
port=$((20000 + $$ % 20000)) pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$dir"' EXIT

# Runs until the server refuses the user: by then keys have been agreed on and the host's signature
# has been verified.
try() {   # NAME COMMAND...
    name=$1; shift
    tries=0
    until "$@" >seen 2>&1 </dev/null ||
          grep -q "Permission denied\|No auth methods could be used" seen; do
        tries=$((tries + 1))   # the server may still be starting
        [ $tries -lt 20 ] || { echo "$name: no key exchange"; cat seen log; exit 1; }
        sleep 0.2
    done
    exchanged=$((exchanged + 1))
}

exchanged=0
for host in "rsa-2048 rsa-sha2-256" "rsa-4096 rsa-sha2-256" "ecdsa-256 ecdsa-sha2-nistp256" \
            "ecdsa-384 ecdsa-sha2-nistp384" "ecdsa-521 ecdsa-sha2-nistp521"; do
    set -- $host
    [ -f "host-$1" ] || continue
    port=$((port + 1))
    "$server" -F -E -s -p "127.0.0.1:$port" -r "host-$1" -P pid >log 2>&1 &
    pid=$!
    if [ "$client" ]; then
        try "dbclient, $1" env HOME="$dir" "$client" -y -y -T -p "$port" nobody@127.0.0.1 true
    fi
    if command -v ssh >/dev/null; then
        for kex in diffie-hellman-group14-sha256 ecdh-sha2-nistp256 ecdh-sha2-nistp384 \
                   ecdh-sha2-nistp521; do
            try "ssh, $1, $kex" env -u LD_LIBRARY_PATH ssh -F none -p "$port" \
                -o KexAlgorithms=$kex -o HostKeyAlgorithms="$2" -o BatchMode=yes \
                -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
                -o GlobalKnownHostsFile=/dev/null nobody@127.0.0.1 true
        done
    fi
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    pid=
done
echo "clients: $exchanged key exchanges"
