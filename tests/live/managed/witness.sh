# SPDX-License-Identifier: Apache-2.0
# witness VERSION: compares the frames of witness.py, run by Python VERSION, with faulthandler's.
. "$SRCDIR/tests/live/managed/pythons.sh"

witness() {
	local shape said here=$SRCDIR/tests/live/managed
	local shapes="plain through_c deep unwinding generators coroutines threads subinterpreters fork execs texts lines"
	# interpreted by QEMU, a start of Python takes seconds
	[[ -z ${DTRACE_VM-} ]] || shapes="through_c coroutines texts"
	pythons "$1"
	for shape in $shapes; do
		rm -f "$TMPDIR"/{json,witness,witness.2}
		"$DTRACE" -q --output=json -x jstackframes=120 -x switchrate=10ms -o "$TMPDIR/json" -n '
			syscall::getppid:entry, syscall::getpgrp:entry /progenyof($target)/ { jstack(); }' \
			-c "${pythons[0]} -S $here/witness.py $shape $TMPDIR/witness $TMPDIR/json" 2>"$TMPDIR/err" || {
			cat "$TMPDIR/err"
			return 1
		}
		[[ $shape != execs ]] || cat "$TMPDIR/witness.2" >>"$TMPDIR/witness"
		said=$(python3 "$here/witness_check.py" "$TMPDIR/json" "$TMPDIR/witness") || {
			echo "$shape: $said"
			cat "$TMPDIR/err"
			# a kernel that misses firings, and says so
			! { "$SRCDIR/tests/runner/preempts" && grep -q 'missed firings' "$TMPDIR/err"; } || continue
			return 1
		}
		echo "$shape: $said"
	done
}
