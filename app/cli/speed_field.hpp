/* speed sm2-field: the ways of computing in the field of SM2, side by side. */
#ifndef TONGYU_CLI_SPEED_FIELD_HPP
#define TONGYU_CLI_SPEED_FIELD_HPP

#include "context.hpp"

/* Measures for about so many seconds, prints the tables or fills ctx.result; returns the exit
 * status. */
int speed_field(Context &ctx, double seconds);

#endif
