/* Raw keys, without an encoding around them, as other programs write them. */
#ifndef TONGYU_CLI_RAW_KEY_HPP
#define TONGYU_CLI_RAW_KEY_HPP

#include "secret.hpp"

#include <string>

/* Returns the key in DER if data is a raw key, otherwise an empty Secret. A raw key is one of:
 *   an SM2 private key in 64 hexadecimal digits
 *   an SM2 public key in 128 digits (x || y), or in 130 or 66 (an encoded point)
 *   an ML-DSA public or expanded private key, as bytes or digits
 *   an ML-DSA seed, 32 bytes or their digits, if alg names its parameter set ("ml-dsa-65")
 * Sets `what` to a description for inspect. A number out of range is a Failure. */
Secret wrap_raw_key(std::string &what, const Secret &data, const std::string &alg,
                    const std::string &path);

#endif
