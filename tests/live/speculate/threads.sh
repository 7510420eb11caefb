#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The usual way, in four threads on all CPUs: a speculation for each call, committed or discarded by its outcome.
# Nothing of a discarded one is seen; of every committed one each record is, in order and together.
# @ref d-language 17.2 speculation-ids speculate commit discard recycled
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -x nspec=64 -x switchrate=1ms -b 16m -c "$BUILD/tests/live/triggers/values spread 4 2000" -n '
	syscall::getppid:entry
	/pid == $target/
	{
		self->spec = speculation();
		self->call = arg1;
		self->thread = arg0;
		@calls = count();
	}

	syscall::getppid:entry
	/self->spec/
	{
		speculate(self->spec);
		printf("%d %d entry %d\n", self->thread, self->call, self->spec);
	}

	syscall::getppid:return
	/self->spec/
	{
		speculate(self->spec);
		for (this->i = 0; this->i < 2; this->i++)
			printf("%d %d return%d %d\n", self->thread, self->call, this->i, self->spec);
	}

	syscall::getppid:return /self->spec && self->call % 3 == 0/ { @committed = count(); }
	syscall::getppid:return /self->spec && self->call % 3 == 0/ { commit(self->spec); self->spec = 0; }
	syscall::getppid:return /self->spec/ { discard(self->spec); self->spec = 0; }

	END { printa("calls %@d\n", @calls); printa("committed %@d\n", @committed); }' >out.txt 2>err.txt || { cat err.txt; exit 1; }
# numbers may run out; nothing else may be lost
grep -v 'failed speculations\? ' err.txt
! grep -q -v 'failed speculations\? ' err.txt || exit 1
awk '
	function wrong(why) { print "line " NR ": " why ": " $0; bad = 1 }
	$1 == "calls" { if ($2 != 8000) wrong("expected 8000"); next }
	$1 == "committed" { committed = $2; next }
	NF == 0 { next }
	{
		if ($2 % 3)
			wrong("was discarded")
		want = stage == 0 ? "entry" : "return" (stage - 1)
		if ($3 != want || (stage && ($1 != thread || $2 != call || $4 != number)))
			wrong("expected " want " of " thread " " call)
		thread = $1
		call = $2
		number = $4
		if (++stage == 3) {
			stage = 0
			whole++
		}
	}
	END {
		if (stage)
			wrong("incomplete")
		if (!whole || whole != committed) {
			print whole " seen, " committed " committed"
			bad = 1
		}
		exit bad
	}' out.txt
