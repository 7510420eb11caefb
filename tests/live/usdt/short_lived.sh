#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 300
# @vm no: it takes minutes under emulation and does not depend on the kernel
# 20,000 processes that live for a moment under a wildcard: each that was found is forgotten, so that neither memory nor
# descriptors of the tracer grow.
# @ref providers 16.4 description globs one-row-of-several-sites
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider brief { probe tick(int); };
END
"$DTRACE" -h -s prov.d || complain "no header"
cat >brief.c <<'END'
#include <unistd.h>
#include "prov.h"
int main(void)
{
	usleep(10000);
	BRIEF_TICK(1);
	return 0;
}
END
cat >spawn.c <<'END'
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char **environ;
/* COUNT COMMAND: COUNT processes, sixteen at a time */
int main(int argc, char **argv)
{
	int left = atoi(argv[1]), live = 0;
	pid_t pid;

	while (left || live) {
		if (left && live < 16 && !posix_spawn(&pid, argv[2], 0, 0, argv + 2, environ)) {
			left--;
			live++;
		} else if (wait(0) > 0) {
			live--;
		}
	}
	return 0;
}
END
cc -O1 -o brief brief.c && cc -O1 -o spawn spawn.c || complain "no programs"

"$DTRACE" -Zqn 'brief*:::tick { @ = count(); }' -o out &
tracer=$!
sleep 1
size() { awk '/^VmRSS/ { print $2 }' /proc/$tracer/status; }
files() { ls /proc/$tracer/fd | wc -l; }

./spawn 2000 ./brief
sleep 2
kb=$(size) fds=$(files)
./spawn 18000 ./brief
sleep 2
kb2=$(size) fds2=$(files)
kill -TERM $tracer
wait $tracer

n=$(tr -d ' \n' <out)
# many end before they are found, but not all
((n >= 200)) || complain "only $n of 20000 processes were found"
((kb2 - kb < 1024)) || complain "resident memory grew from $kb to $kb2 KB"
((fds2 - fds < 20)) || complain "open files grew from $fds to $fds2"
finish
