#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 60
# Option hold=open with --follow holds the files that the followed processes open, and no others: a process that nobody traces does
# not wait, however busy or stopped dtrace is.
# @alone
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider slow { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >prog.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "prov.h"
/* Waits for a byte, and then says how many ms it takes to open a file. */
int main(void)
{
	struct timespec a, b;
	char c;

	SLOW_HIT(0);
	puts("waits");
	fflush(stdout);
	if (read(0, &c, 1) != 1)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &a);
	close(open("text.txt", O_RDONLY));
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%ld ms\n", (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000);
	return 0;
}
END
gcc -O2 -o prog prog.c || complain "does not build"
echo some >text.txt
mkfifo go

"$DTRACE" -Zq --follow -x hold=open -n 'slow$target:::hit { @ = count(); } END { printa("hits %@d\n", @); }' -o hits.txt \
	-c ./prog <go >said.txt 2>trace.err &
tracer=$!
exec 4>go
until_said() {
	for ((i = 0; i < 1000; i++)); do
		grep -q "$1" said.txt && return
		sleep 0.02
	done
	complain "it does not say $1: $(cat trace.err)"
}
until_said waits
kill -STOP $tracer

what="a bystander"
begin=$SECONDS
for ((i = 0; i < 30; i++)); do
	read -r line <text.txt
done
# each would wait for a second
((SECONDS - begin < 15)) || complain "30 files took $((SECONDS - begin)) s"

what="a followed process"
echo >&4
until_said ms
took=$(sed -n 's/ ms$//p' said.txt)
((took >= 500)) || complain "it was not held: $took ms"
kill -CONT $tracer
exec 4>&-
wait $tracer || complain "status $?: $(cat trace.err)"
expect_text hits "$(grep hits hits.txt)" "hits 1"
finish
