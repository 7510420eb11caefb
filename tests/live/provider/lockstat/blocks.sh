#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lockstat:::adaptive-block and rw-block: once for each wait for a mutex and for a rw_semaphore, whether to write or to
# read, and for as long as the lock was held: not shorter than its holder slept, not longer than the call that waited.
# @ref providers 12 adaptive-block rw-block
. "${0%/*}/../lib.sh"
can locks mutex 1 1

check() { # KIND: each of its waits is there, and long enough
	awk -v kind="$1" '
		NR == FNR { if ($1 == "wait" && $3 == kind) { n[$2]++; long[$2] = $4 } next }
		$1 == "block" && $3 == kind {
			facts++
			if (n[$2] != 1) { print kind ": " n[$2] + 0 " events for: " $0; bad = 1 }
			else if (long[$2] < 20000000 || long[$2] > $5 - $4) { print kind ": " long[$2] " ns for: " $0; bad = 1 }
		}
		END { if (facts != 3) { print kind ": " facts + 0 " facts"; bad = 1 } exit bad }' events.txt facts.txt || bad=1
	n=$(grep -c "^wait .* $1 " events.txt)
	[[ $n == 3 ]] || complain "$1: $n events, not 3"
}

observe locks mutex 3 20 <<'EOD'
lockstat:::adaptive-block /pid == $target && threadname == "waiter"/ { printf("wait %d mutex %d %d\n", tid, arg1, arg0 != 0); }
EOD
check mutex

observe locks rwsem 3 20 <<'EOD'
lockstat:::rw-block /pid == $target && threadname == "waiter" && arg2 == RW_WRITER/ { printf("wait %d writer %d\n", tid, arg1); }
lockstat:::rw-block /pid == $target && threadname == "waiter" && arg2 == RW_READER/ { printf("wait %d reader %d\n", tid, arg1); }
/* the same lock for both */
lockstat:::rw-block /pid == $target && threadname == "waiter"/ { @[arg0] = count(); }
END { printa("lock %@d\n", @); }
EOD
check writer
check reader
[[ $(grep -c '^lock 6$' events.txt) == 1 ]] || complain "locks: $(grep ^lock events.txt)"
exit $bad
