// One SM2 key in every file format, and keys on binary curves, as the openssl command (3.0) wrote
// them where nothing else is stated; nothing here was made by this library.
#pragma once

namespace fixture {
#include "key/foreign.h"
// d, and the public key
static const char d[] = "799c2909adb24159871e5bffa166648011aff343e3f310eee2fdfad7842efc45";
static const char pub[] = "0444dbeaf0f4e9cff4244033850903b8b048c7d7c811f228e8300b1b6158c6a201"
                          "eecca40200621ee44939ebd12e118cb8e62af05ad27d720d030b74b6379b5ead";

// openssl ecparam -name SM2 -genkey: parameters first, then PKCS #8
static const char ecparam[] =
    "-----BEGIN SM2 PARAMETERS-----\n"
    "BggqgRzPVQGCLQ==\n"
    "-----END SM2 PARAMETERS-----\n"
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqBHM9VAYItBG0wawIBAQQgeZwpCa2yQVmHHlv/\n"
    "oWZkgBGv80Pj8xDu4v3614Qu/EWhRANCAARE2+rw9OnP9CRAM4UJA7iwSMfXyBHy\n"
    "KOgwCxthWMaiAe7MpAIAYh7kSTnr0S4RjLjmKvBa0n1yDQMLdLY3m16t\n"
    "-----END PRIVATE KEY-----\n";

// openssl pkcs8 -topk8 -nocrypt
static const char pkcs8[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqBHM9VAYItBG0wawIBAQQgeZwpCa2yQVmHHlv/\n"
    "oWZkgBGv80Pj8xDu4v3614Qu/EWhRANCAARE2+rw9OnP9CRAM4UJA7iwSMfXyBHy\n"
    "KOgwCxthWMaiAe7MpAIAYh7kSTnr0S4RjLjmKvBa0n1yDQMLdLY3m16t\n"
    "-----END PRIVATE KEY-----\n";

// openssl ec: OpenSSL 3.0 has a label of its own
static const char sec1[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "MHcCAQEEIHmcKQmtskFZhx5b/6FmZIARr/ND4/MQ7uL9+teELvxFoAoGCCqBHM9V\n"
    "AYItoUQDQgAERNvq8PTpz/QkQDOFCQO4sEjH18gR8ijoMAsbYVjGogHuzKQCAGIe\n"
    "5Ek569EuEYy45irwWtJ9cg0DC3S2N5terQ==\n"
    "-----END SM2 PRIVATE KEY-----\n";

// the same with the label of RFC 5915, which openssl reads as well
static const char sec1_ec[] =
    "-----BEGIN EC PRIVATE KEY-----\n"
    "MHcCAQEEIHmcKQmtskFZhx5b/6FmZIARr/ND4/MQ7uL9+teELvxFoAoGCCqBHM9V\n"
    "AYItoUQDQgAERNvq8PTpz/QkQDOFCQO4sEjH18gR8ijoMAsbYVjGogHuzKQCAGIe\n"
    "5Ek569EuEYy45irwWtJ9cg0DC3S2N5terQ==\n"
    "-----END EC PRIVATE KEY-----\n";

// openssl ec -conv_form compressed
static const char sec1_compressed[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "MFcCAQEEIHmcKQmtskFZhx5b/6FmZIARr/ND4/MQ7uL9+teELvxFoAoGCCqBHM9V\n"
    "AYItoSQDIgADRNvq8PTpz/QkQDOFCQO4sEjH18gR8ijoMAsbYVjGogE=\n"
    "-----END SM2 PRIVATE KEY-----\n";

// openssl ec -no_public
static const char sec1_no_public[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "MDECAQEEIHmcKQmtskFZhx5b/6FmZIARr/ND4/MQ7uL9+teELvxFoAoGCCqBHM9V\n"
    "AYIt\n"
    "-----END SM2 PRIVATE KEY-----\n";

// openssl pkey -pubout
static const char spki[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DQgAERNvq8PTpz/QkQDOFCQO4sEjH18gR\n"
    "8ijoMAsbYVjGogHuzKQCAGIe5Ek569EuEYy45irwWtJ9cg0DC3S2N5terQ==\n"
    "-----END PUBLIC KEY-----\n";

// openssl ec -pubout -conv_form compressed
static const char spki_compressed[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MDkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DIgADRNvq8PTpz/QkQDOFCQO4sEjH18gR\n"
    "8ijoMAsbYVjGogE=\n"
    "-----END PUBLIC KEY-----\n";

// PBES2, password "secret", 2048 iterations, PRF 1.2.156.10197.1.401.3.1: PBKDF2 by Python's
// hashlib, SM4-CBC by openssl enc
static const char encrypted[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIH1MGAGCSqGSIb3DQEFDTBTMDMGCSqGSIb3DQEFDDAmBBAAAQIDBAUGBwgJCgsM\n"
    "DQ4PAgIIADAOBgoqgRzPVQGDEQMBBQAwHAYIKoEcz1UBaAIEEEBBQkNERUZHSElK\n"
    "S0xNTk8EgZCbKAuyWcEq29tdWJNEMoSRiYRG3eNQeuD18fmm3yOcmaerd6c0pAQO\n"
    "HcR2s0pu4wH8psRI4/gY8Qw4Vsa18nC+1CdiRbtTYN/bQCAHaCWBk7OlU+jSjHbl\n"
    "kX+re9X3vken0uoNgu5/Y+k07j2XvLa7Cu6mVtCQ/4Cm7xjH1i687ptcOGK/vcxO\n"
    "xxB9SHsibZs=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// the same key, 1000 iterations, PRF 1.2.156.10197.1.401.2 without NULL, and keyLength
static const char encrypted_gm[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHtMFgGCSqGSIb3DQEFDTBLMCsGCSqGSIb3DQEFDDAeBAgAAQIDBAUGBwICA+gC\n"
    "ARAwCwYJKoEcz1UBgxECMBwGCCqBHM9VAWgCBBBAQUJDREVGR0hJSktMTU5PBIGQ\n"
    "KrQVfeod8c+NQSAVyewlKHxOb3UAeHihPDuC+ij/MbzHPKjBuVKswGBFMhDJ0c67\n"
    "Xnio7ybAWcORUJA205HMJo59ZQBKscrQFUAQN7aiWA9wBLLeRFdZS0UOjaG2H2TT\n"
    "+anID6aSfR96x/EfxnhwNc5QFyE2pLIOBZQiQ6GnPBOaS0aMFaf0Hv2a3HZTYqHD\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// openssl pkcs8 -topk8 -v2 sm4-cbc, 3.0: PBKDF2 with HMAC-SHA-256, 2048 iterations, a salt of 8
// bytes
static const char encrypted_sha256[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHrMFYGCSqGSIb3DQEFDTBJMCkGCSqGSIb3DQEFDDAcBAhtJKev69RWpwICCAAw\n"
    "DAYIKoZIhvcNAgkFADAcBggqgRzPVQFoAgQQ4w0xoCAV9kcRqZgYkWANcgSBkOUx\n"
    "eLgB0+QWu0c4TqeI+l3ilqqyCdIIzrD+P1hzrTFYGcc2fIlgiPdZ/lgw8li/SI0b\n"
    "joeCq28N7SXBFcuKgrgmQ9C0TjHXMhuEZYDrDH5Pff2jKJwEhj2ANg4A/26ahSB0\n"
    "XdGMW7IG4FdzxQq7yHlgPGsPKnPMZcipqH5WwRQYmKeSdiBykbdLmium8np/Cg==\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// openssl pkcs8 -topk8 -v2 aes-128-cbc
static const char encrypted_aes[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhZEWONn+eVmgICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEC8xBMgM/bU51WwgEJeGXkAEgZCm\n"
    "imQ1JUpVcnXOnvjg4ssMnfyqR0IU0uEOAFmduYdfOcbXe6QeoC+4MveEfsUNjTv7\n"
    "9NJLKsEPepqVGIFW8K/0QD2R7B7QBP2tb+3lPS4qzyIB7psoUoTizVEjsniWLdi5\n"
    "rIE4Dm4rVpc3khkVx2ksUwZW05aLw7vfAeVXBla0eiKzLzVrF+3aH9wYSPz3nSI=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// openssl ec -sm4-cbc: legacy encryption, whose key is an MD5 hash of the password
static const char encrypted_legacy[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "Proc-Type: 4,ENCRYPTED\n"
    "DEK-Info: SM4-CBC,69F20050A44C7F5DE2ABBEFE907BB282\n"
    "\n"
    "BX4fiuK7ATYJp1Z/NpdcXrMr+hblx/GMxIu1WzAcrzJwNYNWmOWYhJoYV3kTCjrq\n"
    "CjI2dEjY2gj1VacXehDMx2aAkx84QHECXTDPDEHg/k+KN6RAAf2VGsW/KXKvjgyK\n"
    "ne5OqNAjqrL5y0Wyiw2B7XG8/gzofbgYWYEr6jlKk88=\n"
    "-----END SM2 PRIVATE KEY-----\n";

// openssl pkcs8 -topk8, the defaults of 3.0: AES-256-CBC and HMAC-SHA-256, 2048 iterations
static const char encrypted_aes256[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgG3Uf0uqj1jQICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEAsnP8C9EyTq1FcnkNSFyPMEgZD2\n"
    "HXvo6R5ImMeE1p9cJi9NKtKMTuY+zF5L6f0wMijJg4aaoPrvOtSWORVm61nBxA3A\n"
    "+M1c0DSDddb8lN0iVtBvYzcxugTrulBZ7TnQHENWgs743cSpjlgmSabz2Wyp98pi\n"
    "LICHHCRxkNLHBKVjh3hFUbnJjha1PvuFbztC+3/fNg23HxoNG+ZlIoTDIWBPXkQ=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// openssl pkcs8 -topk8 -v2 des3: a cipher that is not read
static const char encrypted_des3[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHjME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAiOF07vh45wJAICCAAw\n"
    "DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIfqsjKGI4OKoEgZD0vvf9konC9Q/L\n"
    "bUuY+1f1OIKLklk2rDvwEVYYuAzkInCLYB8iqV2tW7vQ698jMYplghseiA3Z7ziG\n"
    "5x9z4uCj3WDs4NK3Kj577T8+ODH7fAYdzHUwu1wzxU44Zz35HczC/a5sZUvEqCgH\n"
    "NNoK2MzcO31HlUPDwR360YeTz3knrOwEtLZEJafTliOqTvtKsS4=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// openssl ec -des3
static const char legacy_des3[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "Proc-Type: 4,ENCRYPTED\n"
    "DEK-Info: DES-EDE3-CBC,24B83EDB3DFF000C\n"
    "\n"
    "D8ePs8HpHfAIbIdrQOAld4e4LWFVGlOqTR59HnT7y3D4H6dG8QNgri4ZnEK8PdON\n"
    "e6966fV9blK853dP1YKQoqRjzxvVvdWmufzLfuQ8TfNtWtyxVdtePwS8ZGvmKvZl\n"
    "82dRxLt5ufSTuh2fMNIHxfcO+/aMBrz+TTY+58byohc=\n"
    "-----END SM2 PRIVATE KEY-----\n";

// openssl pkcs12 -export -iter 100: a certificate in a bag that is itself encrypted, and the key in
// a shrouded one
static const char pkcs12[] = "308203f9020103308203b006092a864886f70d010701a08203a10482039d308203993"
                             "082025106092a864886f70d010706a08202423082023e020100"
                             "3082023706092a864886f70d010701305606092a864886f70d01050d3049302806092"
                             "a864886f70d01050c301b04087f953042a3525112020164300c"
                             "06082a864886f70d02090500301d060960864801650304012a0410ec12ce789efe74e"
                             "beb34218702e2fe96808201d061c663a183d7f4e83f0be1f1a5"
                             "cb909df62dd9b7ba36aeaeb887a25a458b7017c040a976b2a4f21ef7e7c7d0127e225"
                             "26b3774c2021abd61a1398837e0d1bb817cfde3e41404aebbb4"
                             "3cc4a5cd58baefb66cb4683a610f17bc48345436608632e6ae094fc46e9565e44b2af"
                             "e78c38d2358b17f77480b8afca6097ed0641b22ca17593a64bb"
                             "aebe563e94a29475691e91f0246064f2e467aa0ef831fef1a8c83430ab7821fbb272e"
                             "b594e8a3e404f3e1d3d47f775893c1612f819e59529ebfb083c"
                             "52ddec7fda7a3361f99ed3620ef38552c6a3ce7cde6a8b83859c8c4c4fa697d292c16"
                             "b442b9f61685d6cb4d4a94000ff3c5268e0371195d174c596b5"
                             "0d96320b696a3c8fc380aeaf640ea331ed6e5ce61cc516770bc9eb2e2b2245485f7bd"
                             "aa39d357b8cc3ce941e5ab6aec0ccac190ff78559b65b055de8"
                             "12cc775560cbb55bd83664e4f7afc851e88afe9ec5a8069fdb47600b988f19c536a29"
                             "c7bc4c3f5c8777427c7089a970330630f71f76ba90d39f84b00"
                             "b6c301f669a212439bfd9e35fec588c64cb9f4807844e44cbe979cfed5b7d9d0cb8e0"
                             "158ea138061ee2372468bd623ba94e905ebec6246fbda5924f8"
                             "a9a5059dc12a83ae3b71f22857fc6e51bbb63019ce23901d2dd0748e99a4a03082014"
                             "006092a864886f70d010701a08201310482012d308201293082"
                             "0125060b2a864886f70d010c0a0102a081ee3081eb305606092a864886f70d01050d3"
                             "049302806092a864886f70d01050c301b0408702e038cea3277"
                             "5d020164300c06082a864886f70d02090500301d060960864801650304012a04104f8"
                             "81e1912499019af44c66d0898ed7e0481901201b15b5efe52ff"
                             "fe5efb4ff5599736e882f28c4c626c74e51fc74b7f57ddbae572b9c11f8a4033035d8"
                             "e60aaecfd2f7355ca5e28ca61f04ad17eb7e0210b0ac98a43db"
                             "2b133c585347b1d144177780935886260476f590a0596198415777e4c3f1fe9091763"
                             "e7126b9cc20bc33f76eee830ac6607f1c284544ffdee5011b70"
                             "b07bc3ae2c8e78bd1b57bb3038aaf22b3125302306092a864886f70d0109153116041"
                             "40e8fdae44e9fbd288f6989ee7dd71d7eb8cd86693040303130"
                             "0d0609608648016503040201050004204dca2a364e67884d313df890ae1ee8f056550"
                             "caf6f7c95e8af122129083d3c050408f6b8d584900dc9fc0201"
                             "64";

// openssl req -new -x509 -sm3 -subj '/C=CN/O=Acme, Inc+OU=Keys/CN=...' -addext subjectAltName=...
// -set_serial 4660
static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIB2zCCAYGgAwIBAgICEjQwCgYIKoEcz1UBg3UwPzELMAkGA1UEBhMCQ04xHzAL\n"
    "BgNVBAsMBEtleXMwEAYDVQQKDAlBY21lLCBJbmMxDzANBgNVBAMMBuWQjOS9mTAg\n"
    "Fw0yNjExMjMwNjEyMzFaGA8yMTI2MTAzMDA2MTIzMVowPzELMAkGA1UEBhMCQ04x\n"
    "HzALBgNVBAsMBEtleXMwEAYDVQQKDAlBY21lLCBJbmMxDzANBgNVBAMMBuWQjOS9\n"
    "mTBZMBMGByqGSM49AgEGCCqBHM9VAYItA0IABETb6vD06c/0JEAzhQkDuLBIx9fI\n"
    "EfIo6DALG2FYxqIB7sykAgBiHuRJOevRLhGMuOYq8FrSfXINAwt0tjebXq2jazBp\n"
    "MB0GA1UdDgQWBBTAOobYnp7swse4MKT+P7A8TkEETTAfBgNVHSMEGDAWgBTAOobY\n"
    "np7swse4MKT+P7A8TkEETTAPBgNVHRMBAf8EBTADAQH/MBYGA1UdEQQPMA2CC2V4\n"
    "YW1wbGUub3JnMAoGCCqBHM9VAYN1A0gAMEUCIFLRaJoU+P1UeEJY2xO5wwF9gydM\n"
    "tI9pYA5Nhecg89/lAiEAiCH3B5UGJjVZGYTFpYt4cNuuoJgW6rAqxyymRAghlbQ=\n"
    "-----END CERTIFICATE-----\n";

// openssl req -new -sm3 -subj /CN=Alice -addext keyUsage=...
static const char request[] =
    "-----BEGIN CERTIFICATE REQUEST-----\n"
    "MIHqMIGQAgEAMBAxDjAMBgNVBAMMBUFsaWNlMFkwEwYHKoZIzj0CAQYIKoEcz1UB\n"
    "gi0DQgAERNvq8PTpz/QkQDOFCQO4sEjH18gR8ijoMAsbYVjGogHuzKQCAGIe5Ek5\n"
    "69EuEYy45irwWtJ9cg0DC3S2N5teraAeMBwGCSqGSIb3DQEJDjEPMA0wCwYDVR0P\n"
    "BAQDAgeAMAoGCCqBHM9VAYN1A0kAMEYCIQDCxszHqknQaRveWzfkIm48Qmp8aTvW\n"
    "JPYIPA6vVoQ7sAIhANLXufwB4xEbXDQvSkJUayOx/RzYPN3pAbVLqlSCnqiL\n"
    "-----END CERTIFICATE REQUEST-----\n";

// gmsm 0.44.0, pkcs8.MarshalPrivateKey with a password and no options: AES-256-CBC, PBKDF2 with
// HMAC-SHA-256 and keyLength
static const char encrypted_gmsm[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIH3MGIGCSqGSIb3DQEFDTBVMDQGCSqGSIb3DQEFDDAnBBAzFXfXN4V5Uld6Cfls\n"
    "gG3zAgIIAAIBIDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQfrWZJS9tnjHL\n"
    "/BvO601u5wSBkOUiYP5f1XUeS/7cWe76fH1Wel7PF5XJVQQvp8LM0nxBS4v2MWrF\n"
    "QZm/GhyClEc7KDSzEsY5iGe76BqhUzCKAl+ETTem9tDXIXsK67D4Mgxg0ephmo72\n"
    "y7VBTnz8OdaDt5TpAd86jQX7LdswJQjw4NmEw0JH4KFR2BbZN4yioHhqcCExtWae\n"
    "R9aeA7Ww6+KkBw==\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// gmsm 0.44.0, sm2.MarshalEnvelopedPrivateKey: the key with the scalar 0xabcde, encrypted to the
// SM2 key d
static const char enveloped[] = "3081ef300c06082a811ccf55016801050030780220619553a5d6e05a6adf96665b"
                                "ef129880388d5cfb4eb7d291e4912700caabdd000220651e3e2c03"
                                "5c047370fdce81d85c91939c8f1dddd1668a241539587ca124120f0420ddd2d4fc"
                                "40e9845af96b72ed18999aa1bcb46d468292898907e0c45c340049"
                                "f0041035c796f4d2a099ccfff4922e6bb0748a0342000461873c90899ee8986c79"
                                "f727b56c64e125887bdb4406a4e628828c27e369db7c0489be579f"
                                "21099d2e6dbb6bc35fe784f9ecceb223fbb9a7e1a6c1dedec3d6c80321008f4b59"
                                "1739d2e5b9cb3a4f9f8599101f6e5e519c8ee2b8f1b5c8a589d2d0"
                                "9e5b";

// a key on another curve
static const char p256[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6x0qgW7ApPLD2O9+\n"
    "M3h8PIYuJ+1sE8V09G9wC+Z5HbWhRANCAARL0gyKksMqhWWSGeFhyFvWxU+VT2l9\n"
    "4nmX9X8QHzCkisGyD3E28v/q6Z1Hh0HLggpM3xHEQpcP9vRqp+ZMBDNk\n"
    "-----END PRIVATE KEY-----\n";

// the same in SEC 1
static const char p256_sec1[] =
    "-----BEGIN EC PRIVATE KEY-----\n"
    "MHcCAQEEIOsdKoFuwKTyw9jvfjN4fDyGLiftbBPFdPRvcAvmeR21oAoGCCqGSM49\n"
    "AwEHoUQDQgAES9IMipLDKoVlkhnhYchb1sVPlU9pfeJ5l/V/EB8wpIrBsg9xNvL/\n"
    "6umdR4dBy4IKTN8RxEKXD/b0aqfmTAQzZA==\n"
    "-----END EC PRIVATE KEY-----\n";

// and its public key
static const char p256_spki[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAES9IMipLDKoVlkhnhYchb1sVPlU9p\n"
    "feJ5l/V/EB8wpIrBsg9xNvL/6umdR4dBy4IKTN8RxEKXD/b0aqfmTAQzZA==\n"
    "-----END PUBLIC KEY-----\n";

// an RSA key in PKCS #8
static const char rsa[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBANrqituBUwJpMrGL\n"
    "AvQ3dTyhXF08CKITHFlZpwa9NPgbe6SqoqSptxnh/uX7RoTqDBLjASlJJAfr52iR\n"
    "TaeD79MMeXLGY/DtcLWrqOzPvsibMfoFMJ4lEK7+W5tQtxvbDOVxd29Ht+956bhJ\n"
    "IUdzZ6/R49/47DaekPFZlo9VHB/ZAgMBAAECgYB32EroXGY7PagY9kdJt0qhRJ0y\n"
    "FXmMcPXmHGSKFe73nOQVg6zChH7O1qAa+3LhtNejR08NcRMemxD2eAWRHXOejVQs\n"
    "ZpBnBRTSLoQcOrgqGysWPKegfa3Lt23LyhNxJTHn+oeUmGWzq1H9N3TEKueWKK2y\n"
    "8S3YxaK4dAG9m6c/2QJBAOzVK6WdrX7dPk0PVxdwhEZvcKaSusl2aCH+YBteH3Ql\n"
    "xsSsDO6UZI+Evv3gZlrbxoNsAGI43/ipSaROaNzRXNMCQQDsoirwOF+788ihhuKT\n"
    "TJ6yewfsSCRsID00hF3mrepuRfCBrAJoP8/rvQFVDrTjUapfEOKi5XFdxU4gYZVM\n"
    "sHUjAkAGwBy6X8AuOYgpEiLdXCupBkwjs1L3oxRcw69hmFE1Mk50FKNZuYkUPihj\n"
    "fB3uwQzregyYwB5CLDEZKdL7WExZAkB9V2DbIWFEU1sghCwbzef5rkWCGKyCQYlp\n"
    "+fsrJ1AX3SAJ76zOv45I1jKQdVvHVQijlnQVyOcFvm8lo8rLdmR1AkBqWOwxj4RV\n"
    "i+UqSD+uaA/31+C7ey56ZvJnVrqPsLhMfv+cO8vpDUxhJ0wi3X98GA7Sk1ewUr4O\n"
    "cpRSDvsE/j3y\n"
    "-----END PRIVATE KEY-----\n";

// and its public key
static const char rsa_spki[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDa6orbgVMCaTKxiwL0N3U8oVxd\n"
    "PAiiExxZWacGvTT4G3ukqqKkqbcZ4f7l+0aE6gwS4wEpSSQH6+dokU2ng+/TDHly\n"
    "xmPw7XC1q6jsz77ImzH6BTCeJRCu/lubULcb2wzlcXdvR7fveem4SSFHc2ev0ePf\n"
    "+Ow2npDxWZaPVRwf2QIDAQAB\n"
    "-----END PUBLIC KEY-----\n";

// a key on sect233r1; openssl ecparam -name sect233r1 -genkey: parameters first, then SEC 1
static const char ec_sec1[] =
    "-----BEGIN EC PARAMETERS-----\n"
    "BgUrgQQAGw==\n"
    "-----END EC PARAMETERS-----\n"
    "-----BEGIN EC PRIVATE KEY-----\n"
    "MG4CAQEEHgC3J6HmWRwqj/kEPGw0xATd7uc6HPg6FV55TzmXMKAHBgUrgQQAG6FA\n"
    "Az4ABAFwuWe3Dc6JVKj9s6vl1foraVAgqwA/UaJWHJKskAHCMSg9a+Tw3lA5Qxx6\n"
    "3CH1i8xb7h6ePFJXGUjmpg==\n"
    "-----END EC PRIVATE KEY-----\n";

// the same: openssl pkcs8 -topk8 -nocrypt
static const char ec_pkcs8[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MH4CAQAwEAYHKoZIzj0CAQYFK4EEABsEZzBlAgEBBB4Atyeh5lkcKo/5BDxsNMQE\n"
    "3e7nOhz4OhVeeU85lzChQAM+AAQBcLlntw3OiVSo/bOr5dX6K2lQIKsAP1GiVhyS\n"
    "rJABwjEoPWvk8N5QOUMcetwh9YvMW+4enjxSVxlI5qY=\n"
    "-----END PRIVATE KEY-----\n";

// openssl pkey -pubout
static const char ec_spki[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFIwEAYHKoZIzj0CAQYFK4EEABsDPgAEAXC5Z7cNzolUqP2zq+XV+itpUCCrAD9R\n"
    "olYckqyQAcIxKD1r5PDeUDlDHHrcIfWLzFvuHp48UlcZSOam\n"
    "-----END PUBLIC KEY-----\n";

// openssl ec -pubout -conv_form compressed
static const char ec_spki_compressed[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MDQwEAYHKoZIzj0CAQYFK4EEABsDIAACAXC5Z7cNzolUqP2zq+XV+itpUCCrAD9R\n"
    "olYckqyQ\n"
    "-----END PUBLIC KEY-----\n";

// openssl ec -no_public
static const char ec_no_public[] =
    "-----BEGIN EC PRIVATE KEY-----\n"
    "MCwCAQEEHgC3J6HmWRwqj/kEPGw0xATd7uc6HPg6FV55TzmXMKAHBgUrgQQAGw==\n"
    "-----END EC PRIVATE KEY-----\n";

// openssl pkcs8 -topk8 -v2 sm4-cbc -v2prf hmacWithSHA256 -iter 10, password "secret"
static const char ec_sha256[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHqMFUGCSqGSIb3DQEFDTBIMCgGCSqGSIb3DQEFDDAbBAidgzKhp4fXfQIBCjAM\n"
    "BggqhkiG9w0CCQUAMBwGCCqBHM9VAWgCBBBag+6y4RuyOdnbkmOLXyA3BIGQAbWN\n"
    "yW5yTGn/bW6XIINmm6mAzWSHuz50YFQDM26tae6yYCNG26k49lA1/7h8QAQbE0mE\n"
    "rayrEbt+YPkny4R33VNUwx81zy2MVgkJ0iKKw/6lCti+IV+OJcItXUaK164mBN6U\n"
    "Ty3yQLMRDx/X2txx/BtWwZZRUk6rB19Y2+dRZP3dUydUzGlqhD0g762AiZ6B\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// keys on sect233k1 and sect163k1 with explicit parameters: openssl ecparam -param_enc explicit
// -genkey; pkcs8 -topk8
static const char ec_explicit_233[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIBQAIBADCB0gYHKoZIzj0CATCBxgIBATAdBgcqhkjOPQECMBICAgDpBgkqhkjO\n"
    "PQECAwICAUowQAQeAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABB4AAAAA\n"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEEPQQBcjK6hTp+cxrxKfIv9BSVY6QZ\n"
    "wmv1Ckydbu+tYSYB21N97OgZt/cPVVpnxCeozZvxiuubVuDBEFb65qMCHgCAAAAA\n"
    "AAAAAAAAAAAAAAadW7kVvNRu+xrV8XOr3wIBBARmMGQCAQEEHRzPUguioCA2Put1\n"
    "tS1h/OqwnID+xJFT6kzYkMLLoUADPgAEAQsNUJrRJbo/kYRt8udaJX5B32IK7ndj\n"
    "FIYfIindAHA3odiAbNXaIHwBONM4wxk9SVieMsW5gMzAZ/Ij\n"
    "-----END PRIVATE KEY-----\n";
static const char ec_explicit_163[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIBAQIBADCBrQYHKoZIzj0CATCBoQIBATAlBgcqhkjOPQECMBoCAgCjBgkqhkjO\n"
    "PQECAwMwCQIBAwIBBgIBBzAuBBUAAAAAAAAAAAAAAAAAAAAAAAAAAAEEFQAAAAAA\n"
    "AAAAAAAAAAAAAAAAAAAAAQQrBAL+E8BTe7wRrKoH15PeTm1eXJTu6AKJBw+wXTj/\n"
    "WDIfLoAFNtU4zNqj2QIVBAAAAAAAAAAAAAIBCKLgzA2Z+KXvAgECBEwwSgIBAQQV\n"
    "A9NxscDeqlwJD2OcuuZmyRkNJz+boS4DLAAEAGLam8Rr+MDOJ9dZtWvulTuI2WmY\n"
    "AX+1nnDpeo1lZwLB2dUhoe9Rwzkp\n"
    "-----END PRIVATE KEY-----\n";
}   // namespace fixture
