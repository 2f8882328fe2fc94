/* The kind of a file that is not a supported key, for messages. */
#ifndef TONGYU_CLI_KEY_KIND_HPP
#define TONGYU_CLI_KEY_KIND_HPP

#include "secret.hpp"

#include <string>

/* "a certificate", "an RSA private key", "a P-256 public key", ...; empty if the kind is unknown,
 * or for a key on the SM2 curve. PEM or DER. For messages only: it looks at labels and object
 * identifiers and parses nothing. */
std::string kind_of_key(const Secret &data);

/* Whether it is a certificate or a request, possibly damaged, by its label or the beginning of its
 * DER. */
bool is_carrier(const Secret &data);

/* "DES-EDE3-CBC", ...: the encryption of a key in PEM, DER or PKCS#12 if it is not supported; else
 * empty. */
std::string foreign_encryption(const Secret &data);
bool is_pkcs12(const Secret &data);

#endif
