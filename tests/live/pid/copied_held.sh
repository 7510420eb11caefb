#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With option hold the arguments and the environment of a program that copies its code if they say so are read before it executes:
# a run without them has its probes from its first instruction on, a run with them has none and is told of, at once. What runs as the
# interpreter of a script, or has its settings in files too, is seen when it runs.
# @needs cc taskset chrt
# @alone
# @timeout 120
set -u
. "${0%/*}/lib.sh"
# it is called like node
cat >short.c <<'END2'
__attribute__((noinline)) void work(int i) { __asm__ volatile("" ::"r"(i)); }
int main(void)
{
	for (int i = 0; i < 10; i++)
		work(i);
	return 0;
}
END2
${CC:-cc} -O2 -o nodeshort short.c || { echo "cannot compile"; exit 77; }
grep -q . /proc/sys/fs/fanotify/max_user_groups 2>/dev/null || { echo "the kernel has no fanotify"; exit 77; }

# Runs SCRIPT; $whole: processes with all firings, $early: those that were counted, $told: those that a message names
runs() { # SCRIPT DTRACE-ARGUMENT...
	printf '%s\n' "$1" >script.sh
	try "$DTRACE" -qZ -x hold=exec "${@:2}" -c "sh script.sh"
	expect_status 0
	whole=$(grep -cx 10 <<<"$out")
	early=$(sed -nE 's/^dtrace: ([0-9]+) process(es)? (in all: )?ran before their probes were placed.*/\1/p' <<<"$err" | tail -n 1)
	told=$(grep -cE '^dtrace: process [0-9]+ \(nodeshort\) copies its code \(--use-largepages\): it is not traced' <<<"$err")
	other=$(grep -cvx 10 <<<"${out//$'\n\n'/}")
	found="$whole whole, ${early:-0} early, $told told"
}
print='END { printa("%@d\n", @); }'
family='pid$target:nodeshort:work:entry { @[pid] = count(); }'
machine="pid*:$PWD/nodeshort:work:entry { @[pid] = count(); }"

for way in family machine; do
	[[ $way == family ]] && args=(--follow -n "$family $print") || args=(-n "$machine $print")
	what="$way: without the option"
	runs 'for i in 1 2 3 4 5 6; do ./nodeshort a --use-largepages=off; done' "${args[@]}"
	expect_text runs "$found" "6 whole, 0 early, 0 told"
	what="$way: with the option"
	runs 'for i in 1 2 3; do ./nodeshort --use-largepages=on; NODE_OPTIONS="-x --use-largepages=silent" ./nodeshort b; done; sleep 0.2' "${args[@]}"
	[[ $whole == 0 && $told -ge 1 ]] || complain "$found: $out$err"
	what="$way: one after the other"
	runs 'for i in 1 2 3; do ./nodeshort c; ./nodeshort --use-largepages=on; done; ./nodeshort d; sleep 0.2' "${args[@]}"
	[[ ($whole == 4 || ${early:-0} -gt 0) && $told -ge 1 ]] || complain "$found: $out$err"
done

# They run on dtrace's CPU, and only when nobody else wants it: what they map is told before they have arguments that can be read.
for way in family machine; do
	[[ $way == family ]] && args=(--follow -n "$family $print") || args=(-n "$machine $print")
	what="$way: in the middle of execve(2)"
	cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')
	printf '%s\n' 'for i in $(seq 30); do ./nodeshort --use-largepages=on; NODE_OPTIONS="-x --use-largepages=silent" ./nodeshort b; done' >many.sh
	try taskset -c "$cpu" "$DTRACE" -qZ -x hold=exec "${args[@]}" -c "chrt -i 0 sh many.sh"
	expect_status 0
	[[ $(grep -cx 10 <<<"$out") == 0 && $(grep -c 'is not traced' <<<"$err") == 60 ]] || complain "$(grep -cx 10 <<<"$out") traced: $(tail -n 5 <<<"$err")"
done

what="a program without probes, while others have some"
cp nodeshort other
runs './other; ./nodeshort --use-largepages=on; ./other' --follow -n "pid\$target:other:work:entry { @[pid] = count(); } $print"
expect_text runs "$found" "2 whole, 0 early, 0 told"

# a translator's probes are kept out while it is held, even if it had executed when nothing had probes; from then on the others
# are held at each exec, though nobody had to wait for their file any more
cp nodeshort box64
for way in family machine; do
	d='pid$target:other:work:entry { @[pid] = count(); }' args=(--follow)
	[[ $way == family ]] || d="pid*:$PWD/other:work:entry { @[pid] = count(); }" args=()
	what="$way: a translator"
	runs './box64; ./other; ./box64; ./other; ./other' "${args[@]}" -n "$d $print"
	expect_text runs "$found" "3 whole, 0 early, 0 told"
	grep -q 'executes box64, which translates code' <<<"$err" || complain "the translator was not held: $err"
	what="$way: a translator, nothing is held"
	runs './other; ./other; sleep 0.2; ./box64; sleep 0.2; ./other; ./other' "${args[@]}" -x hold=none -n "$d $print"
	[[ $((whole + ${early:-0})) -ge 4 ]] || complain "$found: $out$err"
done

# the kernel asks about an open at each exec as well; whoever opens such a program does not end its being held
what="opened before"
runs 'cat box64 nodeshort >/dev/null; ./other; ./nodeshort --use-largepages=on; ./nodeshort --use-largepages=on; ./box64; ./other' \
	--follow -x hold=open -n "pid\$target:other:work:entry,pid\$target:nodeshort:work:entry { @[pid] = count(); } $print"
[[ $whole == 2 && $told == 2 ]] || complain "$found: $out$err"
grep -q 'executes box64, which translates code' <<<"$err" || complain "the translator was not held: $err"

what="the interpreter of a script"
printf '#!%s --use-largepages=on\n' "$PWD/nodeshort" >text.js
chmod +x text.js
runs 'for i in 1 2 3; do ./text.js; done' --follow -n "$family $print"
[[ $((${early:-0} + told)) -ge 1 && $whole == 0 ]] || complain "$found: $out$err"

what="many arguments, and none"
cat >exec.c <<'END2'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* no argument at all; or one of so many bytes, which ends at the end of a page */
int main(int argc, char **argv)
{
	size_t n = atol(argv[1]);
	char *text = aligned_alloc(4096, 1 << 20), *at = text + (1 << 20) - n - 1;
	char *args[] = {"nodeshort", at, NULL};

	memset(at, 'x', n);
	at[n] = '\0';
	return execve("nodeshort", n ? args : NULL, NULL);
}
END2
${CC:-cc} -O2 -w -o exec exec.c
runs './exec 0; ./exec 1; ./exec 4095; ./exec 4096; ./exec 60000' --follow -n "$family $print"
expect_text runs "$found" "5 whole, 0 early, 0 told"
runs './exec 100000' --follow -n "$family $print"
[[ $((whole + ${early:-0})) -ge 1 ]] || complain "$found: $out$err"
finish
