/* SM3's functions, one-shot and streaming, by base/md.h. */
#include "sm3/sm3.h"
#include "tongyu/sm3.h"

#define MD          ty_sm3
#define MD_FN(verb) ty_sm3_##verb
#define MD_BITS     32
#define MD_BLOCKS   ty_sm3_best()->blocks
#define MD_IV                                                                                      \
    {                                                                                              \
        0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d,        \
            0xb0fb0e4e                                                                             \
    }
#include "base/md.h"   /* IV: GB/T 32905-2016, 4.1 */
