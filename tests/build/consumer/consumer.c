/* A user's program checks the standard's digest of "abc", and that the header and the library have
 * the same version. */
#include <stdio.h>
#include <string.h>
#include <tongyu/tongyu.h>

int main(void)
{
    static const uint8_t want[TY_SM3_LEN] = { 0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9,
                                              0xd1, 0xf2, 0xd4, 0x6b, 0xdc, 0x10, 0xe4, 0xe2,
                                              0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2, 0xf7, 0xa2,
                                              0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b, 0xa8, 0xe0 };
    uint8_t got[TY_SM3_LEN];
    ty_sm3_hash(got, (const uint8_t *)"abc", 3);
    if (!ty_equal(got, want, sizeof want) || strcmp(ty_version(), TY_VERSION_STRING) != 0) return 1;
    printf("tongyu %s works\n", ty_version());
    return 0;
}
