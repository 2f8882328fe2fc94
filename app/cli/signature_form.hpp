/* The form of a file that may be a signature. A signature does not name its algorithm: only its
 * form and length are known. */
#ifndef TONGYU_CLI_SIGNATURE_FORM_HPP
#define TONGYU_CLI_SIGNATURE_FORM_HPP

#include "secret.hpp"

struct SignatureForm {
    std::string kind, form;   /* in words, for inspect */
    size_t len = 0;           /* in bytes; of a text, after decoding */
    bool text = false;        /* the file is digits or base64 */
    Secret r, s;              /* the two numbers; empty for ML-DSA */

    bool read(const Secret &file);   /* false: not a signature */
};

#endif
