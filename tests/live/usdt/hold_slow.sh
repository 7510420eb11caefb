#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# Option hold, where dtrace takes more than a second to enable the probes of what a process executes. The process waits
# while dtrace is at work. If dtrace is stopped, the process goes on and is counted. SIGTERM at that time is no error.
# @ref providers 16.4 every-firing
# @alone
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider slow { probe hit(void *); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >prog.c <<'END'
#include "prov.h"
struct request { int number; };
int main(void)
{
	struct request r = {0};

	for (r.number = 0; r.number < 10; r.number++)
		SLOW_HIT(&r);
	return 0;
}
END
gcc -O2 -o prog prog.c || complain "does not build"

# the kernel's time to load a program grows with the square of these assignments: 4,500 take it 2 to 3 s
n=4500
[[ ${DTRACE_VM:-} ]] && n=1200
{
	echo 'struct request { int number; };'
	echo 'provider slow { probe hit(struct request *); };'
	echo 'BEGIN { printf("on\n"); }'
	echo 'slow*:::hit { @ = count();'
	for ((i = 0; i < n; i++)); do echo "self->v$i = args[0]->number;"; done
	echo '} END { printa("hits %@d\n", @); }'
} >slow.d
mkfifo never

pause() { # SECONDS: sleep(1) would be held as well
	read -rt "$1" <>never
}

start() {
	rm -f on.txt
	"$DTRACE" -Zq -x switchrate=20ms -x hold=exec -s slow.d -o on.txt 2>trace.err &
	tracer=$!
	for ((i = 0; i < 400; i++)); do
		read -r line 2>/dev/null <on.txt && [[ $line == on ]] && return
		pause 0.05
	done
	complain "does not start: $(cat trace.err)"
}

# Ends dtrace after the process has ended. Sets got, the number of hits and the messages.
finish_tracing() {
	pause 0.5
	kill -TERM $tracer
	wait $tracer || complain "status $?"
	got="$(sed -n 's/^hits //p' on.txt)$(cat trace.err)"
}

what="dtrace is at work"
start
./prog
finish_tracing
expect_text "hits" "$got" 10

what="dtrace is stopped at it"
start
./prog &
pause 0.3
kill -STOP $tracer
wait $!
kill -CONT $tracer
pause 6
finish_tracing
[[ $got == 10 || $got == "dtrace: 1 process ran before their probes were placed; their firings are unknown" ]] ||
	complain "not counted: $got"

what="the end of tracing comes meanwhile"
start
./prog &
pause 0.3
kill -TERM $tracer
wait $tracer || complain "status $?"
expect_text "stderr" "$(grep -v "ran before their probes" trace.err)" ""
wait
finish
