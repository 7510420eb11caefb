#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -c and -p: $target, how runs end, what happens to the process.
set -u
. "${0%/*}/lib.sh"

# ends with its child, whose status is not ours; BEGIN comes before the child's first instruction
printf '#!/bin/sh\nexit 4\n' >child
chmod +x child
try "$DTRACE" -qn 'BEGIN { printf("begin"); } END { printf("end"); }' -c ./child
expect_status 0
expect_out $'beginend\n'

# exit() first: the child is killed
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -c 'sleep 1000'
expect_status 0
pid=${out%$'\n'}
expect_match '$target' "$pid" '^[0-9]+$'
! kill -0 "$pid" 2>/dev/null || complain "the child $pid is alive"

# a process that was there lives on
sleep 1000 &
victim=$!
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -p $victim
expect_status 0
expect_out "$victim"$'\n'
kill -0 $victim || complain "the process was killed"

# and when it ends, so does the run
(sleep 1; kill $victim) &
try "$DTRACE" -q -n 'END { printf("end"); }' -p $victim
expect_status 0
expect_out $'end\n'
wait

# without either, $target is 0; of several it is the first
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }'
expect_out $'0\n'
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -p $$ -c 'sleep 1000'
expect_out "$$"$'\n'

# compile errors kill the child too, with -e nothing of it runs
try "$DTRACE" -n 'BEGIN { trace(nope); }' -c 'touch made'
expect_status 1
try "$DTRACE" -e -n BEGIN -c 'touch made'
expect_status 0
[[ ! -e made ]] || complain "the child has run"

finish
