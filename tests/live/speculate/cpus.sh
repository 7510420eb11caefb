#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One speculation filled by threads on every CPU and committed on another: all of it appears when it is committed, each
# record with the CPU it was recorded on, those of a thread in order.
# @ref d-language 17.2 commit speculate
# @ref output 12 own-prefix order
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -b 16m -x specsize=16m -c "$BUILD/tests/live/triggers/values spread 4 300" -n '
	BEGIN { s = speculation(); t = speculation(); }
	syscall::getppid:entry /pid == $target && arg1 % 2 == 0/ { speculate(s); printf("s %d %d %d", arg0, arg1, cpu); }
	syscall::getppid:entry /pid == $target && arg1 % 2/ { speculate(t); printf("t %d %d %d", arg0, arg1, cpu); }
	END { printf("before"); }
	END { commit(s); discard(t); }
	END { printf("after"); }' -x nspec=2 >out.txt 2>err.txt || { cat err.txt; exit 1; }
! grep drop err.txt || exit 1
awk '
	function wrong(why) { print "line " NR ": " why ": " $0; bad = 1 }
	$NF == "before" || $NF == "after" { seen[$NF] = n; next }
	NF < 7 { next }
	{
		n++
		if ($1 != $7)
			wrong("recorded on another CPU")
		if ($4 != "s")
			wrong("was discarded")
		if ($6 != next_of[$5])
			wrong("expected " next_of[$5] + 0)
		next_of[$5] += 2
	}
	END {
		for (t = 0; t < 4; t++)
			if (next_of[t] != 300)
				wrong("thread " t " up to " next_of[t] + 0)
		if (seen["before"] != 0 || seen["after"] != 600)
			wrong("seen " seen["before"] + 0 " before, " seen["after"] + 0 " after, expected 0 and 600")
		exit bad
	}' out.txt
