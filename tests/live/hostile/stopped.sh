#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The process that attaches to new probes is stopped, which nobody continues: dtrace says so and goes on with the probes
# that it has; and ^C ends it in a second, also while it waits for an answer.
# @timeout 90
# @needs gcc
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
printf '%s\n' 'provider comes { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || exit 1
cat >comes.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include "prov.h"
int main(void)
{
	for (int i = 0; i < 6000 && !COMES_HIT_ENABLED(); i++)
		usleep(10000);
	for (int i = 0; i < 10; i++)
		COMES_HIT(i);
}
END
gcc -O2 -I. -o early comes.c && cp early late || exit 1

# Starts dtrace, has it trace "early", and stops the deputy.  $tracer, $deputy
start() {
	# shellcheck disable=SC2016
	"$DTRACE" -xnolibs -x switchrate=50hz -Zqn '
		syscall::ppoll:entry /pid == $pid && !n++/ { printf("traced\n"); }
		comes*:::hit { printf("%s %d\n", execname, arg0); }' >out.txt 2>err.txt &
	tracer=$!
	wait_for out.txt traced
	for ((i = 0; i < 500; i++)); do
		[[ $(awk '/^Seccomp:/ { print $2 }' "/proc/$tracer/status") != 2 ]] || break
		sleep 0.02
	done
	deputy=$(<"/proc/$tracer/task/$tracer/children")
	deputy=${deputy% }
	./early
	wait_for out.txt '^early 9'
	kill -STOP "$deputy"
}

# Ends dtrace as ^C does, which a shell has its background ignore; $took is the time in ms.
stop() {
	local begin
	begin=$(date +%s%N)
	kill -TERM "$tracer"
	wait "$tracer"
	took=$((($(date +%s%N) - begin) / 1000000))
	[[ ! -e /proc/$deputy ]] || complain "the deputy has not ended"
}

start
# a request: the file is new
cp early fresh
./fresh &
wait_for err.txt 'has ended: probes that come from now on are not enabled'
: >out.txt
./early
wait_for out.txt '^early 9'
stop
kill %./fresh 2>/dev/null
[[ $took -lt $((1000 * ${TIMEOUT_SCALE:-1})) ]] || complain "^C took $took ms"

start
cp early fresh2
./fresh2 &
# until dtrace has mapped files to ask about: it waits in poll(2) for the deputy
sleep 0.2
stop
kill %./fresh2 2>/dev/null
[[ $took -lt $((1000 * ${TIMEOUT_SCALE:-1})) ]] || complain "^C took $took ms while the deputy was asked"
hostile_done
