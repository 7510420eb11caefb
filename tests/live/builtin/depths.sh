#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stackdepth and ustackdepth are the numbers of lines of stack() and ustack(), caller and ucaller their second lines;
# maxframes bounds the depths.
# @ref d-builtins 1 stackdepth ustackdepth caller ucaller
# @ref output 6 maxframes
# @ref options 3 maxframes; options 5.7 least-of-both

ln -s "$BUILD/tests/live/triggers/frames" .

run() { # ARGS...
	"$DTRACE" -q "$@" -c './frames 1' -n '
	syscall::getppid:entry
	/pid == $target && n++ == 0/
	{
		printf("depth %d", stackdepth);
		stack();
		printf("caller %a\nudepth %d", caller, ustackdepth);
		ustack();
		printf("ucaller %A\n", ucaller);
	}' >out || exit 1
}

check() { # the first word of its line: DEPTH CALLER
	awk -v depth="$1" -v caller="$2" '
		$1 == caller { ok = want == lines && want >= least && $2 == second; done = 1; exit }
		inside && NF { lines++; if (lines == 2) second = $1 }
		$1 == depth { want = $2; inside = 1; least = 2 }
		END { if (!done || !ok) { print depth, want, "lines", lines, "second", second; exit 1 } }' out
}

run
check depth caller && check udepth ucaller || { cat out; exit 1; }
grep -q '^ucaller frames`middle+' out || { cat out; exit 1; }

run -x maxframes=2
grep -qx 'depth 2' out && grep -qx 'udepth 2' out || { cat out; exit 1; }
check depth caller && check udepth ucaller || { cat out; exit 1; }

# the bodies of loops stand on the stack too, but are the machinery's
"$DTRACE" -qc './frames 1' -n '
syscall::getppid:entry
/pid == $target && n++ == 0/
{
	this->depth = stackdepth;
	this->caller = caller;
	for (this->i = 0; this->i < 1 + (tid == 0); this->i++)
		for (this->j = 0; this->j < 1 + (tid == 0); this->j++)
			printf("%d %d\n", stackdepth == this->depth, caller == this->caller && caller != 0);
}' >out && grep -qx '1 1' out || { cat out; exit 1; }
