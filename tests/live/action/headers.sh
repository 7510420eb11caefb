#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which clauses make a record, a line of columns when not quiet: the empty ones and those with any action but commit,
# discard, speculate and aggregations.
# @vm no: the text of output, the kernel has no part in it
# @timeout 120
# @ref d-language 5.4 empty-clause speculate-only destructive-make-record consumer-actions-make-record
# @ref output 2 assignments aggregations commit-discard action-functions consumer-actions exit-line destructive-actions
# @ref d-language 5.4 nothing-recorded
# @ref d-builtins 5.0 columns

cc -static -o calls "$SRCDIR/tests/live/triggers/calls.c" || exit 1

lines() { # STATEMENTS: the number of records' lines they make, and what else stands in them
	# to a pipe: ftruncate() empties a file
	"$DTRACE" -w -c './calls getppid 1' -n "
		BEGIN { @a = count(); }
		syscall::getppid:entry /pid == \$target/ { $1 }
		END { trunc(@a); }" 2>err | grep -c 'getppid:entry '
	[[ ${PIPESTATUS[0]} == 0 ]] || cat err
}

bad=0
while IFS='|' read -r want statements; do
	[[ -n $want ]] || continue
	got=$(lines "$statements")
	[[ $got == "$want" ]] || { echo "{ $statements } made $got lines, expected $want"; bad=1; }
done <<'E2'
1|
1|trace(1);
1|printf("x");
1|tracemem(curthread, 8);
1|print(1);
1|stack();
1|ustack();
1|jstack();
1|sym(0);
1|mod(0);
1|func(0);
1|usym(0);
1|umod(0);
1|uaddr(0);
1|ufunc(0);
1|exit(0);
1|setopt("quietresize");
1|ftruncate();
1|freopen("");
1|system("true");
1|clear(@a);
1|trunc(@a);
1|normalize(@a, 1);
1|denormalize(@a);
1|printa(@a);
1|printa("x", @a);
1|pcap(NULL, 1);
1|raise(0);
1|chill(1);
1|x = 1; raise(0);
1|@b = count(); clear(@b);
1|trace(1); raise(0); printf("x");
0|x = 1;
0|x = 1; y = strlen(execname);
0|@b = count();
0|this->x = speculation();
0|speculate(0);
0|commit(0);
0|discard(0);
0|strlen("a");
0|alloca(8);
0|rand();
E2
exit $bad
