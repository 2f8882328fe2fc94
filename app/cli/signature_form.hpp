/* What a file looks like that may be a signature. It does not say of which algorithm it is: its
 * form and length are all there is. */
#ifndef TONGYU_CLI_SIGNATURE_FORM_HPP
#define TONGYU_CLI_SIGNATURE_FORM_HPP

#include "secret.hpp"

struct SignatureForm {
    std::string kind, form;   /* for people */
    size_t len = 0;           /* in bytes, of what a text spells */
    bool text = false;        /* digits or base64 */
    Secret r, s;              /* of a pair of numbers; empty for ML-DSA */

    bool read(const Secret &file);   /* false: it is none */
};

#endif
