/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/* signals: getppid(SIG) for each argument; a line for each signal that came, and at the end how
 * many. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t came[65], total;

static void handler(int sig)
{
	came[sig]++;
	total++;
}

int main(int argc, char **argv)
{
	static const int caught[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGCHLD, 40};

	for (unsigned int i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		signal(caught[i], handler);
	for (int i = 1; i < argc; i++) {
		int sig = atoi(argv[i]), before = total;

		syscall(SYS_getppid, sig);
		printf("%d: %d of it, %d in all\n", sig, sig >= 0 && sig < 65 ? came[sig] : 0,
			total - before);
	}
	return 0;
}
