#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# While dtrace is stopped the kernel's buffer for forks and mappings becomes full.  The events that were lost are counted as a
# drop, also if nothing happens afterwards, and processes that came meanwhile and stay are found.
# @timeout 60
# @ref providers 16.4 every-firing
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider steady { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >storm.c <<'END'
/* Maps its own code on each CPU until no buffer of the kernel's has room; then wakes its parent, if there is an argument. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int fd = open(argv[0], O_RDONLY);
	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
		for (int i = 0; i < 20000; i++)
			munmap(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0), 4096);
	}
	if (argc > 1)
		kill(getppid(), SIGCONT);
	return fd < 0;
}
END
cat >steady.c <<'END'
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "prov.h"
int main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < 5000; i++, usleep(1000))
		STEADY_HIT(i);
	return 0;
}
END
gcc -O2 -o storm storm.c && gcc -O2 -o steady steady.c || complain "does not build"

# dtrace is the parent of what -c starts
cat >late.sh <<'END'
kill -STOP $PPID
./storm
./steady &
sleep 0.1
kill -CONT $PPID
wait
END
for attached in 'steady*:::hit' '--follow steady$target:::hit' '--follow -x followlate steady$target:::hit'; do
	read -ra follow <<<"$attached"
	description=${follow[-1]}
	unset 'follow[-1]'
	try "$DTRACE" -Zq --fail-on-drops "${follow[@]}" -x droptags -n "$description { printf(\"found\\n\"); exit(0); }" -c "sh late.sh"
	expect_text "$attached" "${out%%$'\n'*}" found
	expect_match "$attached" "$err" \
		'\[DTRACEDROP_UNSEEN\] [0-9]+ lost events of processes, which may have run before their probes were placed; their firings are unknown'
	[[ $status != 0 ]] || complain "--fail-on-drops: status 0"
	cp steady another && mv another steady # a file that nobody knows
done

# The storm is the last that happens.
echo 'kill -STOP $PPID; exec ./storm wake' >last.sh
try "$DTRACE" -Zq -x droptags -n 'steady*:::hit { exit(0); }' -c "sh last.sh"
expect_match "nothing afterwards" "$err" '\[DTRACEDROP_UNSEEN\] [0-9]+ lost events of processes'
finish
