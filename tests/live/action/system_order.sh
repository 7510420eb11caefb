#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# system(): the shell's output stands where its record is among ours, also in a file, and after a freopen() it goes where the
# command's own output goes; its status does not matter, its standard error is ours.
# @ref d-builtins 4 system
# @ref output 7 system-freopen-format; output 15 system-order system-stdout system-synchronous
# @ref d-builtins 6 record-order

fail() { echo "$1:"; cat out err a 2>/dev/null; exit 1; }

"$DTRACE" -wq -n '
BEGIN { printf("1\n"); system("echo 2"); printf("3\n"); system("echo %d %s; echo 5", 4, "four"); trace("6\n"); }
BEGIN { system("exit 3"); system("kill $$"); system("echo to stderr >&2"); system("echo \"a  b\" $((1 + 6)) | tr a-z A-Z"); exit(0); }
END { system("printf 8"); printf("9\n"); system("echo %q", probename); }' >out 2>err || fail "status $?"
diff out - <<'E2' || fail "order"
1
2
3
4 four
5
6
A  B 7
89
END

E2
[[ $(<err) == "to stderr" ]] || fail "stderr"

# a string that the formatted command holds to its end, longer than strsize by its text
"$DTRACE" -wq -x strsize=8 -n 'BEGIN { system("echo %s and a text that is longer than strings are", "123456789"); exit(0); }' >out 2>err ||
	fail "status $?"
[[ $(<out) == "12345678 and a text that is longer than strings are" ]] || fail "long"

# at a probe, once a record
cc -static -o calls "$SRCDIR/tests/live/triggers/calls.c" || exit 1
"$DTRACE" -wq -c './calls getppid 3' -n 'syscall::getppid:entry /pid == $target/ { system("echo call %d", ++n); printf("ours\n"); }' \
	>out 2>err || fail "status $?"
printf 'call 1\nours\ncall 2\nours\ncall 3\nours\n\n' | diff out - || fail "at a probe"
