#!/bin/sh
# Unmodified programs from packages, with the provider:
#     clients.sh MODULE-DIRECTORY openssl|all [ROWS-FILE]
# openssl: the openssl command and Python. all: nginx, haproxy, stunnel and curl too, where they are
# installed. $OPENSSL names another openssl command. Each row says what worked, and which counter
# of the provider's statistics increased, to prove that the provider did it. A row that this
# OpenSSL itself does not support is "not there", with its error. ROWS-FILE gets the rows, too.
set -u
case ${1:-} in ''|-h|--help) sed -n '2,7p' "$0" | cut -c3-; exit 2 ;; esac
module=$(cd "$1" && pwd)/tongyu.so what=$2 rows=${3:-/dev/null}
here=$(cd "$(dirname "$0")" && pwd)
openssl=$(command -v "${OPENSSL:-openssl}") || { echo "SKIPPED: no openssl command"; exit 77; }
[ -f "$module" ] || { echo "$module is missing: build the target tongyu-provider"; exit 1; }
dir=$(mktemp -d) pids=""
chmod 755 "$dir"
trap 'for p in $pids; do kill "$p" 2>/dev/null; done; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
: >"$rows"

version=$(OPENSSL_CONF=/dev/null "$openssl" version | cut -d' ' -f2)
case $version in 3.0*|3.1*) has_sigalgs="" has_mldsa="" ;; 3.[234].*) has_sigalgs=1 has_mldsa="" \
    ;; *) has_sigalgs=1 has_mldsa=1 ;; esac
case $version in [4-9].*) has_rfc8998=1 ;; *) has_rfc8998="" ;; esac

# on.cnf loads the module; off.cnf, the control, does not.
cat >off.cnf <<EOF
openssl_conf = openssl_init
config_diagnostics = 1
[openssl_init]
ssl_conf = ssl
[ssl]
system_default = tls
[tls]
Groups = P-256:X25519
[req]
distinguished_name = dn
[dn]
[ca]
default_ca = small
[small]
database = $dir/index.txt
serial = $dir/serial
new_certs_dir = $dir
policy = any
default_days = 9
default_crl_days = 9
crlnumber = $dir/crlnumber
unique_subject = no
email_in_dn = no
[any]
commonName = supplied
EOF
sed -e 's/^\[openssl_init\]/[openssl_init]\nproviders = providers\nalg_section = algorithms/' -e \
    's/^Groups = .*/Groups = curveSM2:P-256:X25519/' off.cnf >on.cnf
cat >>on.cnf <<EOF
[providers]
default = standard
tongyu = tongyu
[standard]
activate = 1
[tongyu]
module = $module
activate = 1
statistics = $dir/statistics
[algorithms]
default_properties = ?provider=tongyu
EOF
touch index.txt statistics
chmod 666 statistics
echo 01 >serial
echo 01 >crlnumber

on() { OPENSSL_CONF="$dir/on.cnf" "$@"; }
off() { OPENSSL_CONF="$dir/off.cnf" "$@"; }
ours() { on "$openssl" "$@"; }
theirs() { off "$openssl" "$@"; }

count() {   # the value of a counter, or 0 if it does not exist
    python3 - "$1" <<'EOF'
import struct, sys
data = open("statistics", "rb").read()
rows = {n.rstrip(b"\0").decode(): v for n, v in struct.iter_unpack("=24sQ", data)}
print(rows.get(sys.argv[1], 0) if sys.argv[1] != "all" else sum(rows.values()))
EOF
}

passed=0 failed=0 absent=0
line() {   # VERDICT NAME DETAIL
    printf '%-10s %-52s %s\n' "$1" "$2" "$3"
    printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$rows"
}
row() {
    # NAME COUNTER COMMAND...: the command must work and the counter increase; "-": no counter is
    # examined
    name=$1 counter=$2; shift 2
    [ "$counter" = - ] || before=$(count "$counter")
    if ! "$@" >out 2>err; then
        failed=$((failed + 1)); line FAILED "$name" "$(grep -v '^$' err | tail -n 1 \
            | cut -c1-150)"; return
    fi
    detail=""
    if [ "$counter" != - ]; then
        moved=$(($(count "$counter") - before))
        [ "$moved" -gt 0 ] || { failed=$((failed + 1)); line FAILED "$name" \
            "it works without the provider: $counter did not increase"; return; }
        detail="$counter +$moved"
    fi
    passed=$((passed + 1)); line ok "$name" "$detail"
}
control() {   # NAME COMMAND...: the command must work, and no counter of the provider may increase
    name=$1 before=$(count all); shift
    "$@" >out 2>err || { failed=$((failed + 1)); line FAILED "$name" "$(tail -n 1 err \
        | cut -c1-150)"; return; }
    [ "$(count all)" = "$before" ] || { failed=$((failed + 1)); line FAILED "$name" \
        "the provider is off, but a counter increased"; return; }
    passed=$((passed + 1)); line ok "$name" "no counter moved"
}
refused() {
    # NAME COMMAND...: the command must fail, because this OpenSSL does not support it; if it works,
    # the row is out of date
    name=$1; shift
    if "$@" >out 2>err; then failed=$((failed + 1)); line FAILED "$name" \
        "OpenSSL $version supports it: this row is out of date"; return; fi
    absent=$((absent + 1)); line "not there" "$name" "$(cat err out 2>/dev/null \
        | grep -E 'error:[0-9A-F]{8}:' | tail -n 1 | sed \
        's/.*error:[0-9A-F]*://; s/:[a-z_0-9./]*[.]c:.*//' | cut -c1-80)"
}

# shellcheck source=tests/provider/clients_openssl.sh
. "$here/clients_openssl.sh"
# shellcheck source=tests/provider/clients_tls.sh
. "$here/clients_tls.sh"

echo "OpenSSL $version: $passed rows work, $absent are not there, $failed failed"
[ "$failed" -eq 0 ]
