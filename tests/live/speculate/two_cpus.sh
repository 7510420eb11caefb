#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A speculation for each of eight threads on all CPUs, half of them committed: of those all is printed, of each in
# order, of the others nothing.
# @ref d-language 17.2 speculate commit discard speculation-ids
# @ref d-language 5.3 order-on-a-cpu
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -b 16m -x nspec=8 -c "$BUILD/tests/live/triggers/values spread 8 200" -n '
	syscall::getppid:entry /pid == $target && arg1 == 0/ {
		self->s = speculation(); @given[self->s] = count(); self->even = !(arg0 & 1); }
	syscall::getppid:entry /pid == $target/ { speculate(self->s); printf("%d %d\n", arg0, arg1); }
	syscall::getppid:return /pid == $target && self->s/ { self->n++; }
	syscall::getppid:return /pid == $target && self->n == 200/ { @ended = count(); }
	syscall::getppid:return /pid == $target && self->n == 200 && self->even/ { commit(self->s); }
	syscall::getppid:return /pid == $target && self->n == 200 && !self->even/ { discard(self->s); }
	END { printa("given %d %@d\n", @given); printa("ended %@d\n", @ended); }' >out.txt 2>err.txt || { cat err.txt; exit 1; }
cat err.txt
awk '
	# a number may be given again when it is free
	$1 == "given" { given += $2 >= 1 && $2 <= 8 ? $3 : 0; next }
	$1 == "ended" { ended = $2; next }
	NF == 2 {
		if ($2 != next_of[$1]++) {
			print "thread " $1 ": call " $2 ", expected " next_of[$1] - 1
			bad = 1
		}
	}
	END {
		for (t in next_of) {
			threads++
			if (next_of[t] != 200) {
				print "thread " t ": " next_of[t] " records of 200"
				bad = 1
			}
		}
		if (threads != 4 || given != 8 || ended != 8) {
			print threads + 0 " threads were committed, " given + 0 " speculations given, " ended + 0 " ended"
			bad = 1
		}
		exit bad
	}' out.txt
