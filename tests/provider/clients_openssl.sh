# Sourced by clients.sh: the openssl command, with one row per command line, and Python's hashes.
head -c 100003 /dev/urandom >file
id="distid:1234567812345678"
key=00112233445566778899aabbccddeeff
same() { cmp -s "$1" "$2"; }

row "openssl list -providers" - eval "ours list -providers | grep -q Tongyu"
row "openssl dgst -sm3" sm3-context eval "ours dgst -sm3 file >a && theirs dgst -sm3 file >b \
    && cmp a b"
control "openssl dgst -sm3, module off" theirs dgst -sm3 file
for mode in ecb cbc cfb ofb ctr; do
    iv="-iv 0102030405060708090a0b0c0d0e0f10"
    [ $mode != ecb ] || iv=""
    row "openssl enc -sm4-$mode" sm4-encrypt-key eval "ours enc -sm4-$mode -K $key $iv -in file \
        -out c && theirs enc -d -sm4-$mode -K $key $iv -in c | cmp - file"
    row "openssl enc -d -sm4-$mode" sm4-decrypt-key eval "theirs enc -sm4-$mode -K $key $iv -in \
        file -out c && ours enc -d -sm4-$mode -K $key $iv -in c | cmp - file"
done
row "openssl speed -evp SM4-CTR" sm4-encrypt-key ours speed -seconds 1 -bytes 1024 -evp SM4-CTR

row "SM2: genpkey" sm2-keygen ours genpkey -algorithm SM2 -out k.pem
row "SM2: ecparam -genkey" sm2-keygen ours ecparam -name SM2 -genkey -noout -out k2.pem
row "SM2: pkey -pubout, -text, -check" - eval "ours pkey -in k.pem -pubout -out p.pem \
    && ours pkey -in k.pem -text -noout && ours pkey -in k.pem -check -noout"
row "SM2: pkey -aes256 and back" - eval "ours pkey -in k.pem -aes256 -passout pass:x -out e.pem \
    && grep -q ENCRYPTED e.pem && ours pkey -in e.pem -passin pass:x | cmp - k.pem"
row "SM2: dgst -sign, verified by OpenSSL" sm2-sign eval "ours dgst -sm3 -sigopt $id -sign k.pem \
    -out s file && theirs dgst -sm3 -sigopt $id -verify p.pem -signature s file"
row "SM2: dgst -verify, signed by OpenSSL" sm2-verify eval "theirs dgst -sm3 -sigopt $id -sign \
    k.pem -out s file && ours dgst -sm3 -sigopt $id -verify p.pem -signature s file"
row "SM2: no name, verified by OpenSSL" sm2-sign eval "ours dgst -sm3 -sign k.pem -out s file \
    && theirs dgst -sm3 -verify p.pem -signature s file"
row "SM2: pkeyutl -sign -rawin" sm2-sign ours pkeyutl -sign -inkey k.pem -rawin -digest sm3 -in \
    file -out s
row "SM2: pkeyutl -encrypt, decrypted by OpenSSL" sm2-encrypt eval "echo text >m; ours pkeyutl \
    -encrypt -pubin -inkey p.pem -in m -out c && theirs pkeyutl -decrypt -inkey k.pem -in c \
    | cmp - m"
row "SM2: pkeyutl -decrypt, encrypted by OpenSSL" sm2-decrypt eval "theirs pkeyutl -encrypt -pubin \
    -inkey p.pem -in m -out c && ours pkeyutl -decrypt -inkey k.pem -in c | cmp - m"
row "SM2: req -x509" sm2-sign ours req -x509 -new -key k.pem -sm3 -sigopt $id -subj /CN=ca \
    -addext basicConstraints=critical,CA:TRUE -addext \
    keyUsage=keyCertSign,cRLSign,digitalSignature -days 9 -out ca-sm2.pem
row "SM2: verify of a root" - ours verify -vfyopt $id -CAfile ca-sm2.pem ca-sm2.pem
row "SM2: verified by OpenSSL" - theirs verify -vfyopt $id -CAfile ca-sm2.pem ca-sm2.pem
row "SM2: pkcs12" - eval "ours pkcs12 -export -inkey k.pem -in ca-sm2.pem -passout pass:x -out \
    k.p12 && ours pkcs12 -in k.p12 -passin pass:x -noenc | grep -q 'BEGIN PRIVATE'"
if [ "$has_sigalgs" ]; then
    row "SM2: cms -sign" sm2-sign ours cms -sign -signer ca-sm2.pem -inkey k.pem -md sm3 -in m \
        -binary -outform DER -out m.cms
else
    refused "SM2: cms -sign" ours cms -sign -signer ca-sm2.pem -inkey k.pem -md sm3 -in m -binary \
        -outform DER -out m.cms
fi

for n in 44 65 87; do
    a=ML-DSA-$n
    row "$a: genpkey" mldsa-keygen ours genpkey -algorithm $a -out m$n.pem
    row "$a: pkey -pubout, -text, -check" key-decode eval "ours pkey -in m$n.pem -pubout -out \
        mp$n.pem && ours pkey -in m$n.pem -text -noout && ours pkey -in m$n.pem -check -noout"
    row "$a: dgst -sign and -verify" mldsa-verify eval "ours dgst -sign m$n.pem -out s file \
        && ours dgst -verify mp$n.pem -signature s file"
    row "$a: pkeyutl -sign and -verify" mldsa-sign eval "ours pkeyutl -sign -rawin -inkey m$n.pem \
        -in m -out s && ours pkeyutl -verify -rawin -pubin -inkey mp$n.pem -in m -sigfile s"
    row "$a: pkcs8 -topk8 -v2 aes-256-cbc and back" - eval "ours pkcs8 -topk8 -v2 aes-256-cbc -in \
        m$n.pem -passout pass:x -out e.pem && grep -q ENCRYPTED e.pem \
        && ours pkey -in e.pem -passin pass:x -noout"
    row "$a: pkey -sm4-cbc and back" - eval "ours pkey -in m$n.pem -sm4-cbc -passout pass:x \
        -out e.pem && grep -q ENCRYPTED e.pem && ours pkey -in e.pem -passin pass:x -noout"
    row "$a: pkey -aes256 and back" - eval "ours pkey -in m$n.pem -aes256 -passout pass:x -out \
        e.pem && grep -q ENCRYPTED e.pem && ours pkey -in e.pem -passin pass:x -noout"
    if [ "$has_mldsa" ]; then
        row "$a: pkey -aes128 and back" - eval "ours pkey -in m$n.pem -aes128 -passout pass:x \
            -out e.pem && grep -q ENCRYPTED e.pem && ours pkey -in e.pem -passin pass:x -noout"
        row "$a: verified by OpenSSL" - eval "ours pkeyutl -sign -rawin -inkey m$n.pem -in m -out \
            s && theirs pkeyutl -verify -rawin -pubin -inkey mp$n.pem -in m -sigfile s"
    else
        refused "$a: pkey -aes128 and back" ours pkey -in m$n.pem -aes128 -passout pass:x
        refused "$a: without the module" theirs genpkey -algorithm $a
    fi
    row "$a: req -x509" mldsa-sign ours req -x509 -new -key m$n.pem -subj /CN=ca$n -addext \
        basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign,cRLSign,digitalSignature \
        -days 9 -out ca-m$n.pem
    row "$a: x509 -text" - eval "ours x509 -in ca-m$n.pem -noout -text \
        | grep -q 'Signature Algorithm: $a'"
    row "$a: pkcs12" - eval "ours pkcs12 -export -inkey m$n.pem -in ca-m$n.pem -passout pass:x \
        -out k.p12 && ours pkcs12 -in k.p12 -passin pass:x -noenc | grep -q 'BEGIN PRIVATE'"
done

# A small certificate authority: req, ca, verify, crl.
cat >san <<EOF
subjectAltName = DNS:localhost, IP:127.0.0.1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
EOF
authority() {
    # NAME KEY-ALGORITHM CA-KEY CA-CERTIFICATE [DISTID], where DISTID is the signer's name, for
    # which TLS and crl have no option
    export OPENSSL_CONF=on.cnf
    sig=${5:+-sigopt $5} vfy=${5:+-vfyopt $5}
    # shellcheck disable=SC2086  # words
    "$openssl" req -new -newkey "$2" -noenc -keyout "$1.key" -subj /CN=localhost -sm3 $sig -out \
        "$1.csr" &&
    "$openssl" ca -batch -notext -in "$1.csr" -cert "$4" -keyfile "$3" -md sm3 $sig $vfy -extfile \
        san -out "$1.crt" &&
    "$openssl" verify $vfy -CAfile "$4" "$1.crt" &&
    "$openssl" ca -gencrl -cert "$4" -keyfile "$3" -md sm3 -out "$1.crl" &&
    "$openssl" crl -in "$1.crl" -CAfile "$4" -noout
}
row "SM2: req, ca, verify, crl" sm2-verify authority sm2 SM2 k.pem ca-sm2.pem
row "SM2: req, ca, verify with a name" sm2-verify authority named SM2 k.pem ca-sm2.pem $id
mldsa_authority() {   # SET: no digest is named; for ca, below, that is "-md default"
    export OPENSSL_CONF=on.cnf
    "$openssl" req -new -newkey ML-DSA-$1 -noenc -keyout mldsa$1.key -subj /CN=localhost -out \
        mldsa$1.csr &&
    "$openssl" x509 -req -in mldsa$1.csr -CA ca-m$1.pem -CAkey m$1.pem -CAcreateserial -extfile \
        san -days 9 -out mldsa$1.crt &&
    "$openssl" verify -CAfile ca-m$1.pem mldsa$1.crt
}
for n in 44 65 87; do row "ML-DSA-$n: req, x509 -req, verify" mldsa-verify mldsa_authority $n; done
row "ML-DSA-65: ca, crl" mldsa-verify eval "ours ca -batch -notext -in mldsa65.csr -cert \
    ca-m65.pem -keyfile m65.pem -md default -out x.crt \
 && $openssl ca -gencrl -cert ca-m65.pem -keyfile m65.pem -md default -out x.crl \
     && $openssl crl -in x.crl -CAfile ca-m65.pem -noout"
if [ "$has_mldsa" ]; then
    row "ML-DSA-65: cms -sign, -verify" mldsa-verify eval "ours cms -sign -nodetach -signer \
        mldsa65.crt -inkey mldsa65.key -md sha512 -in m -binary -outform DER -out m.cms \
        && ours cms -verify -CAfile ca-m65.pem -in m.cms -inform DER -binary -purpose any -out \
        /dev/null"
else
    refused "ML-DSA-65: cms -sign" ours cms -sign -nodetach -signer mldsa65.crt -inkey \
        mldsa65.key -md sha512 -in m -binary -outform DER -out m.cms
fi

# Python uses the distribution's libcrypto, so it is tested only if that is the version under test.
if python3 -c "import ssl, sys; sys.exit(ssl.OPENSSL_VERSION.split()[1] != '$version')" \
    2>/dev/null; then
    row "python3: hashlib.new('sm3')" sm3-context on python3 -c "import hashlib; assert \
        hashlib.new('sm3', b'abc').hexdigest().startswith('66c7f0f462eeedd9')"
    control "python3: hashlib, module off" off python3 -c "import hashlib; hashlib.new('sm3', \
        b'abc')"
fi
