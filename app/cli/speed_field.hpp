/* speed sm2-field: methods of arithmetic in the field of SM2, compared. */
#ifndef TONGYU_CLI_SPEED_FIELD_HPP
#define TONGYU_CLI_SPEED_FIELD_HPP

#include "context.hpp"

/* Measures for about that many seconds, prints the tables or fills ctx.result; returns the exit
 * status. */
int speed_field(Context &ctx, double seconds);

#endif
