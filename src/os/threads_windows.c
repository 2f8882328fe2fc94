/* ty_os_cpus and ty_os_together on Windows. */
#include "os/system.h"

#if defined(_WIN32)
#include <windows.h>

unsigned ty_os_cpus(void)
{
    DWORD_PTR mine, all;
    unsigned n = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all))
        for (; mine; mine &= mine - 1) n++;
    return n ? n : 1;   /* 0: the process uses several processor groups */
}

typedef struct job {
    void (*work)(void *arg);
    void *arg;
    HANDLE thread;
} job;

static DWORD WINAPI run_job(LPVOID p)
{
    const job *j = p;
    j->work(j->arg);
    return 0;
}

void ty_os_together(void (*work)(void *arg), void *const *arg, unsigned count)
{
    job others[TY_OS_THREADS - 1];
    unsigned made = 0;
    for (; made < count - 1; made++) {
        job *const j = &others[made];
        *j = (job){ .work = work, .arg = arg[made + 1] };
        j->thread = CreateThread(NULL, 0, run_job, j, 0, NULL);
        if (!j->thread) break;
    }
    work(arg[0]);
    for (unsigned i = 0; i < made; i++) {
        WaitForSingleObject(others[i].thread, INFINITE);
        CloseHandle(others[i].thread);
    }
}
#endif
