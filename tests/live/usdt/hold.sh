#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# Option hold: processes wait until the probes of what they execute or open are placed, so that files that nobody had
# mapped lose nothing either; a listener that is killed or stopped, and a tracer that is, hold nobody for long.
# @ref providers 16.4 every-firing
# @alone
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider held { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >lib.c <<'END'
#include "prov.h"
void loaded(void);
void loaded(void)
{
	for (int i = 0; i < 10; i++)
		HELD_HIT(i);
}
END
cat >prog.c <<'END'
#include <dlfcn.h>
#include "prov.h"
int main(int argc, char **argv)
{
	void *lib = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (lib)
		((void (*)(void))dlsym(lib, "loaded"))();
	else
		for (int i = 0; i < 10; i++)
			HELD_HIT(i);
	return argc > 1 && !lib;
}
END
gcc -O2 -o prog prog.c && gcc -O2 -shared -fPIC -o lib.so lib.c || complain "does not build"
# the copies are new files, written in place, with the inode numbers of those before
cat >programs.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cp prog copy$i; ./copy$i; rm copy$i; done
END
cat >libraries.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cp lib.so copy$i.so; ./prog ./copy$i.so; rm copy$i.so; done
END

counts() { # SCRIPT DTRACE-ARGUMENTS...
	local script=$1
	shift
	rm -f counted.txt
	"$DTRACE" -Zq "$@" -c "sh $script" -o counted.txt >/dev/null 2>messages.txt
	[[ -s messages.txt ]] && complain "$* says $(cat messages.txt)"
	[[ $(awk 'NF { print $NF }' counted.txt) == 200 ]] || complain "$script, $*: $(cat counted.txt)"
}
for when in exec open; do
	what="hold=$when"
	counts programs.sh -x hold=$when -n 'held*:::hit { @ = count(); }'
	counts programs.sh -x hold=$when --follow -n 'held$target:::hit { @ = count(); }'
	counts programs.sh -x hold=$when --follow -n 'pid$target:copy*:main:entry { @ = sum(10); }'
done
counts libraries.sh -x hold=open -n 'held*:::hit { @ = count(); }'
counts libraries.sh -x hold=open --follow -n 'held$target:::hit { @ = count(); }'

what="arguments of probes that nobody knew"
cp prog fresh0
try "$DTRACE" -Zqn 'held*:::hit { printf("%d,", args[0]); } held*:::hit /probeprov == strjoin("held", lltostr(pid))/ { n++; } END { printf(" %d", n); }' \
	-x hold=exec -c "sh -c ./fresh0"
expect_text "args[0]" "$out" $'0,1,2,3,4,5,6,7,8,9, 10\n'

start() {
	rm -f on.txt
	"$DTRACE" -Zq -x switchrate=20ms -x hold=exec -o on.txt -n 'BEGIN { printf("on\n"); } held*:::hit { @ = count(); }' 2>trace.err &
	tracer=$!
	for ((i = 0; i < 400; i++)); do grep -q on on.txt 2>/dev/null && break; sleep 0.05; done
	guard=$(ps -o pid= --ppid $tracer | head -1 | tr -d ' ')
	listener=$(ps -o pid= --ppid "${guard:-0}" | head -1 | tr -d ' ')
	[[ -n $listener ]] || complain "no listener"
}
soon() { # COMMAND: within three seconds
	timeout 3 "$@" || complain "$* waits too long"
}

what="a killed listener"
start
kill -KILL "$listener"
for ((i = 0; i < 100; i++)); do grep -q 'not held any more' trace.err && break; sleep 0.05; done
expect_match stderr "$(cat trace.err)" "processes are not held any more: the listener was ended"
cp prog fresh1
soon ./fresh1
kill -TERM $tracer
wait $tracer

what="a stopped listener"
start
kill -STOP "$listener"
cp prog fresh2
soon ./fresh2
kill -TERM $tracer
wait $tracer

what="a stopped guard of the listener"
start
kill -STOP "$guard"
cp prog fresh4
soon ./fresh4
kill -TERM $tracer
for ((i = 0; i < 100; i++)); do
	[[ -e /proc/$tracer && $(awk '{ print $3 }' /proc/$tracer/stat) != Z ]] || break
	sleep 0.05
done
kill -KILL "$guard" 2>/dev/null && complain "the tracer waits for it"
wait $tracer

what="a stopped tracer"
start
kill -STOP $tracer
cp prog fresh3
soon ./fresh3
kill -CONT $tracer
kill -TERM $tracer
wait $tracer

what="a killed tracer"
start
kill -KILL $tracer
wait $tracer 2>/dev/null
cp prog fresh4
soon ./fresh4
for ((i = 0; i < 100; i++)); do kill -0 "$listener" 2>/dev/null || kill -0 "$guard" 2>/dev/null || break; sleep 0.05; done
kill -0 "$listener" 2>/dev/null && complain "the listener is left"
kill -0 "$guard" 2>/dev/null && complain "its guard is left"
finish
