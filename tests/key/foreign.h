/* The SM2 key of fixtures.hpp as other programs encrypt it, with the password "secret". For C and
 * C++. */
#ifndef TY_TEST_KEY_FOREIGN_H
#define TY_TEST_KEY_FOREIGN_H

/* openssl pkcs8 -topk8 -v2 sm4-cbc -v2prf hmacWithSHA1: the standard's default PRF, which the file
 * does not name */
static const char encrypted_sha1[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHdMEgGCSqGSIb3DQEFDTA7MBsGCSqGSIb3DQEFDDAOBAifBuE6Fqu8mgICCAAw\n"
    "HAYIKoEcz1UBaAIEECejnAyj7eXZ9M0WUXiz5W0EgZCt3I+X9+g/z/CpL8VBHl+h\n"
    "WsmTwUDE8jyjEONXucgron1V59XOIkUryt+hbVJgFrSxRVI+uPkBYfX2vVQ0aKQ4\n"
    "fYeFFSrnEtyK5Tn/vx6e8vQC7fh7K7YhVGrxyW+pRtekx2tYVq/Ug3QZ6rPVVUH9\n"
    "tvi79GSA7dFyXS9r17lhSHjm4KD7qFDRrtMqSn+BJvY=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

/* openssl pkcs8 -topk8 -v2 aes-192-cbc -v2prf hmacWithSHA512 -iter 10 */
static const char encrypted_aes192[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHrMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAhYAw8Hau2z5wIBCjAM\n"
    "BggqhkiG9w0CCwUAMB0GCWCGSAFlAwQBFgQQZTUtzD4aTgh9Jfi4NhIEngSBkMjR\n"
    "nUOFMlGCUtcWCWLvifiU9oazlyDZUTA3hGtXGK73pGJmXx79rHxd3MQ28MR7zHu/\n"
    "mNLvyQ4sIKR/OlwUDGd3ySdFB2YE3bxS5zajBx5q9/yYtkcMGizA/a3vO8+vwgdr\n"
    "9ZSZUc88fQz7VwIqVV7uvxYzrF2CwE5piDI9as5lVSjB8goCGaJHKh0IxsF31A==\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

/* openssl pkcs8 -topk8 -scrypt -scrypt_N 16 -scrypt_r 8 -scrypt_p 2 */
static const char encrypted_scrypt[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHjME4GCSqGSIb3DQEFDTBBMCAGCSsGAQQB2kcECzATBAjKgwOQJgn8IwIBEAIB\n"
    "CAIBAjAdBglghkgBZQMEASoEELFW2fi7MhRL4hGjIeuuMm0EgZCnjtPsKkSiY6s+\n"
    "WaOMshkHoSXv7oUtDBPLsFMtYoO137vubJeUi6Z1HQINTLVE6247nbt8z7QnpKGG\n"
    "lIh2GbsQBIa/C+E5YR61hLqIdpoXrS2bUhSdfD22pFhqqlEowY2CSTJ6O2pJdmsa\n"
    "LqylY01pb5bgxGdSThtGAoyqI6FuDOgE9AXpqT6M3hZWV0Vpb8c=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

/* openssl ec -aes-256-cbc: the key is derived by two MD5 hashes of the password */
static const char legacy_aes256[] =
    "-----BEGIN SM2 PRIVATE KEY-----\n"
    "Proc-Type: 4,ENCRYPTED\n"
    "DEK-Info: AES-256-CBC,D9B61CFEACCEAF8D77E5D73C3BB94746\n"
    "\n"
    "n20OSn2vIgT2FCMRiKnNs6/QhkRzbw3E8jq6JduC/kYMGcBk72xckF4qTHwhpDvQ\n"
    "kF0GcdcSMaECa0z9GQnXDItRKhZq+tVqd/l0Q6potqT9hj6Jx67bVjKQXem3VKFy\n"
    "13xJFQjAkeV7Oas5Tv7DKcYwAJr9knpGQbB5C8U0np4=\n"
    "-----END SM2 PRIVATE KEY-----\n";

#endif
