/* What inspect shows of files that are not keys. Each function returns false and leaves result
 * alone if the file is of another kind. */
#ifndef TONGYU_CLI_INSPECT_OTHER_HPP
#define TONGYU_CLI_INSPECT_OTHER_HPP

#include "context.hpp"
#include "secret.hpp"

/* head is the beginning of the file, size its length, or -1 if that is unknown. */
bool describe_sealed(Json &result, const Secret &head, long long size, const std::string &name);

/* data is the whole file, or more of it than any signature has. A signature does not name its
 * algorithm: its form and length are reported, and r and s. */
bool describe_signature(Json &result, const Secret &data);

#endif
