/* What a file is that is not a key of ours. */
#ifndef TONGYU_CLI_KEY_KIND_HPP
#define TONGYU_CLI_KEY_KIND_HPP

#include "secret.hpp"

#include <string>

/* "a certificate", "an RSA private key", "a P-256 public key", ...; empty if it is nothing we know,
 * or on the SM2 curve. PEM or DER. For messages alone: it looks at labels and object identifiers
 * and parses nothing. */
std::string kind_of_key(const Secret &data);

/* It is a certificate or a request, or a damaged one: by its label, or by how its DER begins. */
bool is_carrier(const Secret &data);

/* "DES-EDE3-CBC", ...: how an encrypted key, PEM, DER or PKCS#12, is encrypted if it is not in a
 * way that we read; or empty. */
std::string foreign_encryption(const Secret &data);
bool is_pkcs12(const Secret &data);

#endif
