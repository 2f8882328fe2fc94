/* speed mp-table: the timing table of LibTomMath 0.11's manual, measured again. */
#ifndef TONGYU_CLI_SPEED_MP_HPP
#define TONGYU_CLI_SPEED_MP_HPP

#include "context.hpp"

/* Measures for about that many seconds, prints the table or fills ctx.result; returns the exit
 * status. */
int speed_mp_table(Context &ctx, double seconds);

#endif
