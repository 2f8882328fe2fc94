"""Rows of test_table.py about keys, certificates, ciphertexts and messages of other programs."""

import base64

# A key, a ciphertext and an enveloped key that other programs wrote for it (sm-crypto 0.3.13 of
# npm, gmsm 0.44.0), and a key that gmsm encrypted with the password "secret", with keyLength in its
# PBKDF2 parameters.
FILES = {
    "d": "799c2909adb24159871e5bffa166648011aff343e3f310eee2fdfad7842efc45",
    "p": "44dbeaf0f4e9cff4244033850903b8b048c7d7c811f228e8300b1b6158c6a201"
         "eecca40200621ee44939ebd12e118cb8e62af05ad27d720d030b74b6379b5ead",
    "bare.ct": "dc204572c565da752c1dea7fc8e9a42aca1d465bed82438486e31ba23de5fb553da180af34c810da"
               "42f2b05e67d343fdb3a0743e25409e94a1c6bd53200628acffa556de64af47350d9ee981c736ab41"
               "4e213cd19e1dcff53fbd274a914dd4a18c6861268428129a761845",
    "compressed.ct": "02dc204572c565da752c1dea7fc8e9a42aca1d465bed82438486e31ba23de5fb55ffa556de64"
                     "af47350d9ee981c736ab414e213cd19e1dcff53fbd274a914dd4a18c6861268428129a761845",
    "enveloped": "3081ef300c06082a811ccf55016801050030780220619553a5d6e05a6adf96665bef129880388d5c"
                 "fb4eb7d291e4912700caabdd000220651e3e2c035c047370fdce81d85c91939c8f1dddd1668a2415"
                 "39587ca124120f0420ddd2d4fc40e9845af96b72ed18999aa1bcb46d468292898907e0c45c340049"
                 "f0041035c796f4d2a099ccfff4922e6bb0748a0342000461873c90899ee8986c79f727b56c64e125"
                 "887bdb4406a4e628828c27e369db7c0489be579f21099d2e6dbb6bc35fe784f9ecceb223fbb9a7e1"
                 "a6c1dedec3d6c80321008f4b591739d2e5b9cb3a4f9f8599101f6e5e519c8ee2b8f1b5c8a589d2d0"
                 "9e5b",
    "gmsm.pem": """-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH3MGIGCSqGSIb3DQEFDTBVMDQGCSqGSIb3DQEFDDAnBBAzFXfXN4V5Uld6Cfls
gG3zAgIIAAIBIDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQfrWZJS9tnjHL
/BvO601u5wSBkOUiYP5f1XUeS/7cWe76fH1Wel7PF5XJVQQvp8LM0nxBS4v2MWrF
QZm/GhyClEc7KDSzEsY5iGe76BqhUzCKAl+ETTem9tDXIXsK67D4Mgxg0ephmo72
y7VBTnz8OdaDt5TpAd86jQX7LdswJQjw4NmEw0JH4KFR2BbZN4yioHhqcCExtWae
R9aeA7Ww6+KkBw==
-----END ENCRYPTED PRIVATE KEY-----
""",
}
SEC1 = bytes.fromhex("30310201010420" + FILES["d"] + "a00a06082a811ccf5501822d")
FILES["d.pem"] = f"""-----BEGIN EC PRIVATE KEY-----
{base64.b64encode(SEC1).decode()}
-----END EC PRIVATE KEY-----
"""
FILES["ct.b64"] = base64.b64encode(bytes.fromhex(FILES["bare.ct"])).decode()

# key.pem, pub.pem and a are those of test_table.py; SOURCE is the root of the repository.
SETUP = """
echo secret > secret
head -c 32 /dev/zero | tr '\\0' s > seed; chmod 600 seed d d.pem
head -c 1312 /dev/zero | tr '\\0' p > raw.pub
sm2='-algorithm EC -pkeyopt ec_paramgen_curve:SM2'
openssl genpkey $sm2 -aes-256-cbc -pass file:secret -out default.pem
locked() { name=$1; shift; openssl pkcs8 -topk8 -in key.pem -passout file:secret -out $name "$@"; }
locked sha1.pem -v2 aes-128-cbc -v2prf hmacWithSHA1
locked sha512.pem -v2 aes-192-cbc -v2prf hmacWithSHA512
locked scrypt.pem -scrypt -scrypt_N 16 -scrypt_r 8 -scrypt_p 2
locked des.pem -v2 des-ede3-cbc
locked costs.der -v2 sm4-cbc -v2prf hmacWithSHA256 -iter 1000000 -outform DER
LC_ALL=C sed -i 's/\\x0f\\x42\\x40/\\x7f\\xff\\xff/' costs.der
openssl ec -in key.pem -aes-256-cbc -passout file:secret -out legacy.pem
id='-sigopt distid:1234567812345678'
openssl req -new -x509 -key key.pem -sm3 $id -subj /C=CN/CN=Alice -days 30 -out cert.pem
openssl x509 -in cert.pem -outform DER -out cert.der
openssl req -new -key key.pem -sm3 $id -subj /CN=Alice -out request.pem
openssl pkcs12 -export -inkey key.pem -in cert.pem -passout file:secret -out key.p12
openssl req -new -x509 -newkey rsa:2048 -nodes -keyout rsa.key -subj /CN=RSA -days 30 -out rsa.pem
(cat cert.der; printf x) > longer.der
openssl ecparam -name sect233r1 -genkey -noout -out ec.pem
openssl ec -in ec.pem -aes-128-cbc -passout file:secret -out ec.locked
openssl req -new -x509 -key ec.pem -sha256 -subj /CN=Curve -days 30 -out ec.crt
openssl dgst -sha256 -sign ec.pem -out ec.sig a
base64 -w 0 old.sig > old.b64
openssl dgst -sm3 -sign key.pem -out empty.sig a
cp "$SOURCE"/tests/cms/*.pem "$SOURCE"/tests/cms/*.key "$SOURCE"/tests/cms/letter.txt .
chmod 600 *.key
"""

# command, (status, first line) before (commit 31da61c), and now
ROWS = [
    ('tongyu pubkey --password-file secret default.pem',
     (3, 'tongyu: default.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 '
         'or -SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in default.pem '
         '-out sm-default.pem'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret sha1.pem',
     (3, 'tongyu: sha1.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or '
         '-SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in sha1.pem -out '
         'sm-sha1.pem'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret sha512.pem',
     (3, 'tongyu: sha512.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or'
         ' -SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in sha512.pem '
         '-out sm-sha512.pem'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret scrypt.pem',
     (3, 'tongyu: scrypt.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or'
         ' -SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in scrypt.pem '
         '-out sm-scrypt.pem'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret legacy.pem',
     (3, 'tongyu: legacy.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or'
         ' -SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in legacy.pem '
         '-out sm-legacy.pem'),
     (0, 'tongyu: warning: legacy.pem: its password is protected by a single MD5; '
         'tongyu convert --encrypt writes a better file')),
    ('tongyu pubkey --password-file secret key.p12',
     (3, 'tongyu: key.p12: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or '
         '-SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in key.p12 -out '
         'sm-key.p12'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret gmsm.pem',
     (3, 'tongyu: gmsm.pem: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; '
         'check that it is the right file'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey --password-file secret des.pem',
     (3, 'tongyu: des.pem: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or '
         '-SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in des.pem -out '
         'sm-des.pem'),
     (3, 'tongyu: des.pem: encrypted with DES-EDE3-CBC, and only AES and SM4 in CBC '
         'mode (PBES2) are supported; convert it: openssl pkcs8 -topk8 -in des.pem '
         '-out aes-des.pem')),
    ('tongyu pubkey --password-file secret ec.locked',
     (3, 'tongyu: ec.locked: encrypted, but not with SM4-CBC and PBKDF2-HMAC-SM3 or '
         '-SHA-256; convert it: openssl pkcs8 -topk8 -v2 sm4-cbc -in ec.locked -out '
         'sm-ec.locked'),
     (0, 'tongyu: warning: ec.locked: its password is protected by a single MD5; '
         'tongyu convert --encrypt writes a better file')),
    ('tongyu keygen --password-file secret --cipher aes-256-cbc -o for-all.pem; '
     'openssl pkey -in for-all.pem -passin file:secret -noout; echo $?',
     (0, 'tongyu: keygen: unknown option --cipher; see tongyu keygen --help'),
     (0, '0')),
    ('tongyu keygen --alg ml-dsa-65 --password-file secret --cipher aes-256-cbc '
     '-o lattice.aes; tongyu inspect --password-file secret lattice.aes | sed -n'
     " '/^cipher/p'",
     (3, 'tongyu: keygen: unknown option --cipher; see tongyu keygen --help'),
     (0, 'cipher       AES-256-CBC')),
    ('tongyu pubkey --password-file pw costs.der',
     (1, 'tongyu: costs.der: wrong password, or the file is damaged; try again'),
     (3, 'tongyu: costs.der: its password costs 8388607 iterations, more than is '
         'sensible; if you trust the file, raise --max-iterations')),
    ('tongyu keygen --password-file pw --iterations 6000000 -o costly.pem',
     (0, ''),
     (2, 'tongyu: --iterations 6000000 makes a key file that is refused without '
         '--max-iterations; give at most 5000000')),
    ('tongyu verify -q -k cert.pem -s old.sig a; echo $?',
     (0, 'tongyu: cert.pem: a certificate, and this needs a key; take the public key'
         ' out of it: openssl x509 -pubkey -noout -in cert.pem -out pub.pem'),
     (0, '0')),
    ('tongyu verify -k cert.der -s old.sig a',
     (3, 'tongyu: cert.der: a certificate, and this needs a key; take the public key'
         ' out of it: openssl x509 -pubkey -noout -in cert.der -out pub.pem'),
     (0, 'tongyu: note: cert.der: the public key of a certificate; no signature, '
         'path, name or date of it was checked')),
    ('tongyu verify -k request.pem -s old.sig a',
     (3, 'tongyu: request.pem: a certificate request, and this needs a key of SM2, '
         'of ML-DSA or on a binary curve; ask its owner for an SM2 public key'),
     (0, 'tongyu: note: request.pem: the public key of a request; no signature, '
         'path, name or date of it was checked')),
    ('tongyu verify -q -k ec.crt -s ec.sig a; echo $?',
     (0, 'tongyu: ec.crt: a certificate, and this needs a key; take the public key '
         'out of it: openssl x509 -pubkey -noout -in ec.crt -out pub.pem'),
     (0, '0')),
    ('tongyu pubkey -q lattice.pem',
     (3, 'tongyu: lattice.pem: a certificate, and this needs a key; take the public '
         'key out of it: openssl x509 -pubkey -noout -in lattice.pem -out pub.pem'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu encrypt -q -k cert.pem a | (head -c 5; cat >/dev/null)',
     (3, 'tongyu: cert.pem: a certificate, and this needs a key; take the public key'
         ' out of it: openssl x509 -pubkey -noout -in cert.pem -out pub.pem'),
     (0, 'TYBOX')),
    ('tongyu verify -k key.pem -s old.sig a',
     (0, 'a: OK'),
     (0, 'a: OK')),
    ('tongyu sign -k cert.pem a',
     (3, 'tongyu: cert.pem: a certificate, and this needs a key; give the private '
         'key that belongs to it'),
     (3, 'tongyu: cert.pem: a certificate or a request, and this needs a private '
         'key; give the private key that belongs to it')),
    ("tongyu inspect -q cert.pem | sed -n '/^subject/p'",
     (3, 'tongyu: cert.pem: a certificate, and this needs a key; take the public key'
         ' out of it: openssl x509 -pubkey -noout -in cert.pem -out pub.pem'),
     (0, 'subject      C=CN, CN=Alice')),
    ("tongyu inspect -q request.pem | sed -n '/^kind/p'",
     (3, 'tongyu: request.pem: a certificate request, and this needs a key of SM2, '
         'of ML-DSA or on a binary curve; ask its owner for an SM2 public key'),
     (0, 'kind         certificate request')),
    ("tongyu pubkey longer.der 2>&1 | sed 's/byte [0-9]*/byte N/'",
     (3, 'tongyu: longer.der: a certificate, and this needs a key; take the public '
         'key out of it: openssl x509 -pubkey -noout -in longer.der -out pub.pem'),
     (3, 'tongyu: longer.der: not a certificate or a request in DER (wrong at byte '
         'N); get the file again, from whoever issued it')),
    ("tongyu pubkey rsa.pem 2>&1 | sed 's/byte [0-9]*/byte N/'",
     (3, 'tongyu: rsa.pem: a certificate, and this needs a key; take the public key '
         'out of it: openssl x509 -pubkey -noout -in rsa.pem -out pub.pem'),
     (3, 'tongyu: rsa.pem: a certificate with an RSA public key (at byte N), and '
         'this needs a key of SM2, of ML-DSA or on a binary curve; ask its owner for'
         ' another')),
    ('tongyu sm2 decrypt -k d.pem bare.ct',
     (3, 'tongyu: bare.ct: not an SM2 ciphertext; sealed files are for tongyu decrypt'),
     (0, 'session key')),
    ('tongyu sm2 decrypt -k d.pem --format c1c3c2 compressed.ct',
     (3, 'tongyu: compressed.ct: not an SM2 ciphertext of the form c1c3c2; sealed '
         'files are for tongyu decrypt'),
     (0, 'session key')),
    ('tongyu sm2 decrypt -k d.pem --format c1c2c3 bare.ct',
     (3, 'tongyu: bare.ct: not an SM2 ciphertext of the form c1c2c3; sealed files '
         'are for tongyu decrypt'),
     (1, 'tongyu: bare.ct: does not verify; another key, or a damaged ciphertext; '
         'nothing was written')),
    ('tongyu sm2 decrypt -k d.pem ct.b64',
     (3, 'tongyu: ct.b64: not an SM2 ciphertext; sealed files are for tongyu decrypt'),
     (0, 'session key')),
    ('tongyu sm2 encrypt -k p --format c1c3c2 --no-prefix --hex a | wc -c',
     (2, 'tongyu: sm2 encrypt: unknown option --no-prefix; see tongyu sm2 encrypt --help'),
     (0, '199')),
    ('tongyu verify -k pub.pem -s old.b64 a',
     (3, 'tongyu: old.b64: not a signature of SM2 (neither DER nor 64 bytes r||s); '
         'check that it is the right file'),
     (0, 'a: OK')),
    ('tongyu sign --base64 -k key.pem a > a.b64; tongyu verify -k pub.pem -s a.b64 a',
     (3, 'tongyu: sign: unknown option --base64; see tongyu sign --help'),
     (0, 'a: OK')),
    ('tongyu pubkey d',
     (3, 'tongyu: d: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; check '
         'that it is the right file'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu inspect p | sed -n 2,3p',
     (3, 'tongyu: p: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; check '
         'that it is the right file'),
     (0, 'kind         SM2 public key')),
    ('tongyu pubkey --alg ml-dsa-44 seed',
     (2, 'tongyu: pubkey: unknown option --alg; see tongyu pubkey --help'),
     (0, '-----BEGIN PUBLIC KEY-----')),
    ('tongyu pubkey seed',
     (3, 'tongyu: seed: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; '
         'check that it is the right file'),
     (3, 'tongyu: seed: 32 bytes that are not a key in a known format; if they are an '
         'ML-DSA seed, name its algorithm: --alg ml-dsa-65')),
    ('tongyu inspect raw.pub | sed -n 2p',
     (3, 'tongyu: raw.pub: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; '
         'check that it is the right file'),
     (0, 'kind         ML-DSA-44 public key')),
    ('tongyu convert --enveloped-for d.pem --plain enveloped | sed -n 1p',
     (2, 'tongyu: convert: unknown option --enveloped-for; see tongyu convert --help'),
     (0, '-----BEGIN PRIVATE KEY-----')),
    ('tongyu verify -k pub.pem -s empty.sig a',
     (1, 'tongyu: a: the signature does not verify; the file, the key, the identity '
         'or the signature is another one'),
     (1, 'tongyu: a: the signature does not verify with the identity '
         '1234567812345678, but it does with the empty one, which OpenSSL uses if'
         " none is given; if that is what the signer meant, verify with --id ''")),
    ("tongyu verify -k pub.pem --id '' -s empty.sig a",
     (0, 'a: OK'),
     (0, 'a: OK')),
    ('tongyu cms verify -q --cert alice.pem -o - gmsm-signed.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'Dear Bob,')),
    ("tongyu cms verify -q --cert alice.pem --id '' -o - openssl-sm2.pem",
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'Dear Bob,')),
    ('tongyu cms verify -q --cert lattice.pem --content letter.txt openssl-mldsa.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, '')),
    ('tongyu cms verify --cert bob.pem gmsm-signed.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (1, 'tongyu: gmsm-signed.pem: a signer whose certificate is not among those '
         'given: serial number 25f1400469905e928c8a8fb5d887dad662868c49 of C=CN, '
         'CN=alice; if you trust the signer, give the certificate with --cert')),
    ('tongyu cms verify --cert alice.pem gmsm-detached.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (2, 'tongyu: gmsm-detached.pem: does not contain the signed content; name its file with '
         '--content')),
    ('tongyu cms verify --cert alice.pem bc-ber.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (3, 'tongyu: bc-ber.pem: BER with an indefinite length or a constructed string '
         '(at byte 0), and only DER is read; ask its sender for DER')),
    ('tongyu cms verify --cert alice.pem openssl-data.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (3, 'tongyu: openssl-data.pem: a message of the kind 1.2.840.113549.1.7.1 (at '
         'byte 2), and only signed and enveloped messages are read; ask its sender for '
         'one of these')),
    ('tongyu cms decrypt -k bob.key gmsm-enveloped.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'Dear Bob,')),
    ('tongyu cms decrypt -q -k bob.key --cert alice.pem gmsm-both.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'Dear Bob,')),
    ('tongyu cms decrypt -k key.pem -o none gmsm-enveloped.pem',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (1, 'tongyu: gmsm-enveloped.pem: not encrypted for this key; use another key '
         'with -k; nothing was written')),
    ('tongyu cms sign -k key.pem --cert cert.pem -o a.p7 a; tongyu cms verify '
     '--cert cert.pem -q -o - a.p7',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'abc')),
    ('tongyu cms encrypt -r cert.pem -o e.p7 a; tongyu cms decrypt -k key.pem e.p7',
     (2, "tongyu: unknown verb 'cms'; see tongyu --help"),
     (0, 'abc')),
    ("tongyu request -k key.pem --subject 'C=CN, CN=Alice' --dns a.example -o "
     'a.csr; tongyu request --check a.csr',
     (2, "tongyu: unknown verb 'request'; see tongyu --help"),
     (0, 'a.csr: OK')),
    ('tongyu request -k key.pem --subject C=China -o none',
     (2, "tongyu: unknown verb 'request'; see tongyu --help"),
     (2, "tongyu: --subject: C is a country's two capital letters, not 'China'; "
         "write it as inspect does: 'C=CN, O=Example, CN=Alice'")),
    ('tongyu request -k key.pem --dns -a.example -o none',
     (2, "tongyu: unknown verb 'request'; see tongyu --help"),
     (2, "tongyu: --dns: '-a.example' has a part with characters other than letters, "
         'digits and inner hyphens; write www.example.org or *.example.org, other '
         'letters as xn--...')),
    ("tongyu inspect -q a.csr | sed -n '/^other/p'",
     (3, 'tongyu: a.csr: no such file or directory; check the name and its permissions'),
     (0, 'other_names  DNS:a.example')),
]
