#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# raise(): the signal comes to the process of the probe before it goes on, with a constant, an argument or a library's name;
# what is no signal is an illegal operation; signal 0 does nothing. One that ends the process ends the session of -c.
# @ref d-builtins 4 raise
# @ref d-errors 1.4 victim-ended

signals=$BUILD/tests/live/destructive/signals
fail() { echo "$1:"; cat out err; exit 1; }

"$DTRACE" -wq -c "$signals 1 10 12 15 17 40 0 65 -1 10" -n '
	syscall::getppid:entry /pid == $target/ { raise(arg0); }
	ERROR { printf("raise of %d: fault %d\n", (int)arg0, arg4); @ = count(); }
	END { printa("faults %@d\n", @); }' >out 2>err || fail "status $?"
grep ' of it' out | diff - <(cat <<'E2'
1: 1 of it, 1 in all
10: 1 of it, 1 in all
12: 1 of it, 1 in all
15: 1 of it, 1 in all
17: 1 of it, 1 in all
40: 1 of it, 1 in all
0: 0 of it, 0 in all
65: 0 of it, 0 in all
-1: 0 of it, 0 in all
10: 2 of it, 1 in all
E2
) || fail "signals"
grep -qx 'faults 2' out || fail "faults"
[[ $(grep -c ': illegal operation in action #1 at line 2$' err) == 2 ]] || fail "messages"

# named, conditional, several at one probe
"$DTRACE" -wq -c "$signals 10 12" -n '
	syscall::getppid:entry /pid == $target && arg0 == 10/ { raise(SIGUSR1); raise(SIGUSR2); printf("two\n"); }
	syscall::getppid:entry /pid == $target/ { if (arg0 == 12) raise(SIGHUP); }' >out 2>err || fail "status $?"
diff <(grep . out | sort) - <<'E2' || fail "several"
10: 1 of it, 2 in all
12: 1 of it, 1 in all
two
E2

# in BEGIN it is dtrace itself, which signal 0 does not harm
[[ $("$DTRACE" -wq -n 'BEGIN { raise(0); printf("alive"); exit(0); }') == alive ]] || fail BEGIN

# the end of the process
"$DTRACE" -w -c "$signals 10 10" -n 'syscall::getppid:entry /pid == $target/ { raise(SIGKILL); printf("killed"); }
	END { printf("end"); }' >out 2>err || fail "status $?"
[[ $(grep -c 'getppid:entry killed' out) == 1 ]] && grep -q ':END end' out && ! grep -q 'of it' out || fail "SIGKILL"
grep -Eqx 'dtrace: pid [0-9]+ (has been )?terminated by SIGKILL' err || fail "what ended it"
