/* The names in a certificate request: the subject, and hosts, mail addresses and URIs as
 * alternative names. What the standards do not allow in them is a Failure with EXIT_USAGE. */
#ifndef TONGYU_CLI_X509_NAMES_HPP
#define TONGYU_CLI_X509_NAMES_HPP

#include "der.hpp"

/* Name, from "C=CN, OU=Keys + O=Acme\, Inc, CN=Alice", the form that ty_cert_name_text writes. */
Der subject_name(const std::string &text);

/* GeneralName of a host, of a mail address, of a URI. */
Der host_name(const std::string &host);
Der mail_name(const std::string &address);
Der uri_name(const std::string &uri);

#endif
