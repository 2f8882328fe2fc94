/* An application for the boot loader to start: it prints one line. */
#include "fw.h"

int main(void)
{
    fw_print("application: started\n");
    return 0;
}
