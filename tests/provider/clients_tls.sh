# Sourced by clients.sh: TLS 1.3 with each program as server, and each as client.
port=$(python3 -c "import random; print(random.SystemRandom().randrange(20000, 60000))")
stop() { kill "$1" 2>/dev/null; wait "$1" 2>/dev/null; pids=""; }
reachable() {   # PORT: waits until a server listens
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
        python3 -c "import socket; socket.create_connection(('127.0.0.1', $1), 1)" 2>/dev/null \
            && return 0
        sleep 0.2
    done
    echo "no server listens on port $1" >&2
    return 1
}
s_client() {   # PORT CA ARGUMENTS...: a handshake that verifies the server
    p=$1 ca=$2; shift 2
    echo Q | "$openssl" s_client -connect "127.0.0.1:$p" -servername localhost \
        -verify_return_error -CAfile "$ca" "$@"
}
serve() {   # CONFIGURATION KEY CERTIFICATE ARGUMENTS...: s_server on $port; its pid in $pids
    config=$1 skey=$2 cert=$3; shift 3
    port=$((port + 1))
    OPENSSL_CONF="$dir/$config" "$openssl" s_server -accept "$port" -key "$skey" -cert "$cert" \
        -www "$@" >server.out 2>&1 &
    pids=$!
    reachable "$port" 2>>server.out || { cat server.out >&2; return 1; }
}
handshake() {   # SERVER-CNF CLIENT-CNF KEY CERTIFICATE CA WANTED-LINE SERVER-ARGS -- CLIENT-ARGS
    scnf=$1 ccnf=$2 skey=$3 cert=$4 ca=$5 wanted=$6; shift 6
    sargs=""; while [ "$1" != -- ]; do sargs="$sargs $1"; shift; done; shift
    # shellcheck disable=SC2086  # words
    serve "$scnf" "$skey" "$cert" $sargs || return 1
    OPENSSL_CONF="$dir/$ccnf" s_client "$port" "$ca" "$@" >client.out 2>&1
    rc=$?
    stop "$pids"
    [ $rc = 0 ] && grep -q "$wanted" client.out || { grep -E "error|alert" client.out server.out \
        >&2; return 1; }
}

# A certificate that every version can use: P-256.
off "$openssl" req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout p256.key \
    -subj /CN=localhost \
    -addext "subjectAltName = DNS:localhost, IP:127.0.0.1" -days 9 -out p256.crt 2>/dev/null
cat p256.crt p256.key >p256.pem
row "s_server, s_client: group curveSM2" curvesm2-derive handshake on.cnf on.cnf p256.key \
    p256.crt p256.crt "TLSv1.3" -- -groups curveSM2
control "s_server, s_client, module off" handshake off.cnf off.cnf p256.key p256.crt p256.crt \
    "TLSv1.3" --
if [ "$has_rfc8998" ]; then
    row "curveSM2: our server, OpenSSL's client" curvesm2-derive handshake on.cnf off.cnf p256.key \
        p256.crt p256.crt "TLSv1.3" -- -groups curveSM2
    row "curveSM2: OpenSSL's server, our client" curvesm2-derive handshake off.cnf on.cnf p256.key \
        p256.crt p256.crt "TLSv1.3" -groups curveSM2 -- -groups curveSM2
    row "curveSM2MLKEM768: our server, OpenSSL's client" curvesm2-derive handshake on.cnf off.cnf \
        p256.key p256.crt p256.crt "TLSv1.3" -groups curveSM2MLKEM768 -- -groups curveSM2MLKEM768
else
    refused "curveSM2 without the module" theirs s_client -connect 127.0.0.1:1 -curves curveSM2 \
        -CAfile /dev/null
fi

if [ "$has_sigalgs" ]; then
    for n in 44 65 87; do
        row "TLS 1.3, ML-DSA-$n certificate" mldsa-sign handshake on.cnf on.cnf mldsa$n.key \
            mldsa$n.crt ca-m$n.pem "Verify return code: 0" --
    done
    row "TLS 1.3, ML-DSA-65 client certificate" mldsa-verify handshake on.cnf on.cnf mldsa65.key \
        mldsa65.crt ca-m65.pem "Verify return code: 0" \
        -Verify 2 -verify_return_error -CAfile ca-m65.pem -- -cert mldsa65.crt -key mldsa65.key
    row "TLS 1.3, SM2 certificate" sm2-tls-id handshake on.cnf on.cnf sm2.key sm2.crt ca-sm2.pem \
        "sm2sig_sm3" -- -sigalgs sm2sig_sm3
else
    refused "TLS 1.3, ML-DSA-65 certificate" handshake on.cnf on.cnf mldsa65.key mldsa65.crt \
        ca-m65.pem "Verify return code: 0" --
fi
if [ "$has_mldsa" ]; then
    row "ML-DSA-65: our server, OpenSSL's client" mldsa-sign handshake on.cnf off.cnf mldsa65.key \
        mldsa65.crt ca-m65.pem "Verify return code: 0" --
    row "ML-DSA-65: OpenSSL's server, our client" mldsa-verify handshake off.cnf on.cnf \
        mldsa65.key mldsa65.crt ca-m65.pem "Verify return code: 0" --
fi
if [ "$has_rfc8998" ]; then
    rfc8998() {   # SERVER-CNF CLIENT-CNF SUITE
        handshake "$1" "$2" sm2.key sm2.crt ca-sm2.pem "New, TLSv1.3, Cipher is $3" -ciphersuites \
            "$3" -groups curveSM2 \
            -- -ciphersuites "$3" -groups curveSM2 -sigalgs sm2sig_sm3
    }
    for suite in TLS_SM4_GCM_SM3 TLS_SM4_CCM_SM3; do
        row "RFC 8998, $suite: both ours" sm2-tls-id rfc8998 on.cnf on.cnf $suite
        row "RFC 8998, $suite: our server" sm4-encrypt-key rfc8998 on.cnf off.cnf $suite
        row "RFC 8998, $suite: our client" sm4-decrypt-key rfc8998 off.cnf on.cnf $suite
        control "RFC 8998, $suite: module off" rfc8998 off.cnf off.cnf $suite
    done
fi

[ "$what" = all ] || return 0

# --- Servers and clients from packages ----------------------------------------------------------

have() { command -v "$1" >/dev/null 2>&1 && return 0; line skipped "$1" "not installed"; return 1; }
ask_curl() { on curl -sS --fail --cacert "$2" "https://localhost:$1/" | grep -q served; }
ask_python() {
    on python3 - "$1" "$2" <<'EOF'
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[2])
page = urllib.request.urlopen(f"https://localhost:{sys.argv[1]}/", context=context, timeout=10)
assert b"served" in page.read()
EOF
}
ask_openssl() { on s_client "$1" "$2"; }

nginx_serve() {   # KEY CERTIFICATE: on $port with TLS, on $port + 1 without
    port=$((port + 2))
    cat >nginx.conf <<EOF
daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; worker_processes 1; events {}
http { access_log off;
  server { listen 127.0.0.1:$port ssl; ssl_protocols TLSv1.3; ssl_ecdh_curve curveSM2:X25519;
           ssl_certificate $dir/$2; ssl_certificate_key $dir/$1;
           location / { return 200 "served"; } }
  server { listen 127.0.0.1:$((port + 1)); location / { return 200 "served"; } } }
EOF
    OPENSSL_CONF="$dir/on.cnf" nginx -c "$dir/nginx.conf" 2>nginx.err & pids=$!
    reachable "$port" || { cat nginx.err nginx.log >&2; return 1; }
}
haproxy_serve() {
    port=$((port + 1))
    cat "$2" "$1" >haproxy.pem
    cat >haproxy.cfg <<EOF
global
    ssl-default-bind-curves curveSM2:X25519
defaults
    mode http
    timeout client 5s
    timeout server 5s
    timeout connect 5s
frontend f
    bind 127.0.0.1:$port ssl crt $dir/haproxy.pem ssl-min-ver TLSv1.3
    http-request return status 200 content-type text/plain string served
EOF
    OPENSSL_CONF="$dir/on.cnf" haproxy -db -f haproxy.cfg >haproxy.err 2>&1 & pids=$!
    reachable "$port" || { cat haproxy.err >&2; return 1; }
}
stunnel_serve() {   # in front of nginx's plain port
    nginx_serve p256.key p256.crt || return 1
    inner=$pids plain=$((port + 1)) port=$((port + 2))
    cat >stunnel.conf <<EOF
foreground = yes
pid =
[served]
accept = 127.0.0.1:$port
connect = 127.0.0.1:$plain
cert = $dir/$2
key = $dir/$1
curves = curveSM2:X25519
EOF
    OPENSSL_CONF="$dir/on.cnf" stunnel4 stunnel.conf >stunnel.err 2>&1 & pids="$! $inner"
    reachable "$port" || { cat stunnel.err >&2; return 1; }
}
session() {   # SERVER CLIENT KEY CERTIFICATE CA: one request
    "${1}_serve" "$3" "$4" || { for p in $pids; do stop "$p"; done; return 1; }
    all=$pids
    "ask_$2" "$port" "$5"; rc=$?
    for p in $all; do kill "$p" 2>/dev/null; done
    for p in $all; do wait "$p" 2>/dev/null; done
    pids=""
    return $rc
}
for server in nginx haproxy stunnel; do
    command=$server; [ $server != stunnel ] || command=stunnel4
    have $command || continue
    [ $server != stunnel ] || have nginx || continue
    for client in openssl curl python; do
        [ $client != curl ] || have curl || continue
        row "$server, $client: group curveSM2" curvesm2-derive session $server $client p256.key \
            p256.crt p256.crt
        [ "$has_sigalgs" ] || continue
        for n in 44 65 87; do
            row "$server, $client: ML-DSA-$n certificate" mldsa-verify session $server $client \
                mldsa$n.key mldsa$n.crt ca-m$n.pem
        done
        # stunnel replaces the default properties, so that our provider does not get SM2 keys.
        if [ $server = stunnel ]; then
            refused "$server, $client: SM2 certificate" session $server $client sm2.key sm2.crt \
                ca-sm2.pem
        else
            row "$server, $client: SM2 certificate" sm2-tls-id session $server $client sm2.key \
                sm2.crt ca-sm2.pem
        fi
    done
done
