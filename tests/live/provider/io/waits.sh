#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# io:::wait-start and wait-done: around the start and the end of what a thread waits for, in that thread.
# @ref providers 8 wait-start wait-done
# @ref providers 18.5 b_bcount
. "${0%/*}/../lib.sh"
listed io:::wait-start || { echo "no io:::wait-start here"; exit 77; }
# else it is XFS alone that tells of its waits
"$BUILD/tests/runner/has" kprobe >/dev/null 2>&1 || { echo "needs kprobe, or XFS"; exit 77; }
can blockio w 0 512

observe blockio f f f <<'EOD'
int waits, ends, inside, order;
int stage[uint64_t];
self uint64_t bio;
io:::wait-start /pid == $target && !args[0]->b_bcount/ { self->bio = arg0; waits++; order += stage[arg0] != 0; stage[arg0] = 1; }
io:::start /pid == $target && self->bio == arg0/ { inside++; order += stage[arg0] != 1; stage[arg0] = 2; }
io:::done /stage[arg0]/ { order += stage[arg0] != 2; stage[arg0] = 3; }
io:::wait-done /self->bio && self->bio == arg0/ { ends++; order += stage[arg0] != 3; stage[arg0] = 0; self->bio = 0; }
END { printf("%d %d %d %d\n", waits, ends, inside, order); }
EOD
[[ $(<events.txt) == "3 3 3 0" ]] || complain "waits, their ends, starts between, of these in another order: $(<events.txt)"
exit $bad
