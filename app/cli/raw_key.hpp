/* Raw keys, without an encoding around them, as other programs write them. */
#ifndef TONGYU_CLI_RAW_KEY_HPP
#define TONGYU_CLI_RAW_KEY_HPP

#include "secret.hpp"

#include <string>

/* The key in DER, if the data are a raw key: digits of an SM2 private key (64), or of a public one
 * (128, or 130 and 66 with the byte that begins a point); the bytes of an ML-DSA key, public or
 * expanded, or their digits; with alg, "ml-dsa-65", a seed of 32 bytes or its digits. Otherwise
 * empty. what is its description for inspect. A number out of range is a Failure. */
Secret wrap_raw_key(std::string &what, const Secret &data, const std::string &alg,
                    const std::string &path);

#endif
