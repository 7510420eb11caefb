#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Twenty simulated hosts, two shards: a shard and two senders die, clocks are wrong, batches come twice; each answer is what the hosts sent.
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 240
# @slow
. "$SRCDIR/tests/live/fleet/servers.bash"
trap - EXIT
[[ -x $BUILD/tests/stress/hosts ]] || { echo "no $BUILD/tests/stress/hosts"; exit 1; }
HOSTS=20 SECONDS_=12 RATE=3 SHARD_KILLS=1 KILLS=2 AGAIN=30 WAIT=100 SEED=7 "$SRCDIR/tests/stress/fleet" >figures.txt 2>&1
status=$?
[[ $status == 0 ]] || complain "status $status: $(cat figures.txt)"
figure() { # NAME LEAST: the number that the line NAME begins with
	local n
	n=$(sed -nE "s/^$1 +([0-9]+).*/\1/p" figures.txt)
	[[ ${n:-0} -ge $2 ]] || complain "$1: ${n:-no figure}, not $2: $(cat figures.txt)"
}
# All that the test is about has happened.
figure "rows, a second" 20000
figure "rows lost with killed senders" 1
figure "senders killed, shards killed" 1
figure "batches that were sent twice" 1
exit $bad
