/* What inspect tells of files that are no keys. Each returns false, and tells nothing, if it is
 * none of its kind. */
#ifndef TONGYU_CLI_INSPECT_OTHER_HPP
#define TONGYU_CLI_INSPECT_OTHER_HPP

#include "context.hpp"
#include "secret.hpp"

/* head is the beginning of the file, size its length, or -1. */
bool describe_sealed(Json &result, const Secret &head, long long size, const std::string &name);

/* head is all of it. A signature does not name its algorithm: its form and length are
 * reported, and r and s. */
bool describe_signature(Json &result, const Secret &head);

#endif
