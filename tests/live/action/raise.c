/* SPDX-License-Identifier: Apache-2.0 */
/* raise: a getppid(2) at which SIGUSR1 comes, and one for each that came. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void handler(int sig)
{
	came += sig == SIGUSR1;
}

int main(void)
{
	signal(SIGUSR1, handler);
	syscall(SYS_getppid);
	if (came == 1)
		syscall(SYS_getuid);
	return 0;
}
