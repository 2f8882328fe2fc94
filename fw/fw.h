/* The host's services for every image, through ARM semihosting; see start.c. */
#ifndef FW_H
#define FW_H
void fw_print(const char *text);   /* to the host's console, through semihosting */
int fw_host(int op, const void *arg);   /* any operation of semihosting */
#endif
