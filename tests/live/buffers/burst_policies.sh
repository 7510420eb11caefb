#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A million records in a burst from both CPUs, and buffers far too small, that are not read before the
# end: fill keeps the first of each CPU and then ends the run, ring keeps the last.
# @timeout 60
# @ref options 5.1 fill-stops fill-nothing-after-full ring-keeps-newest ring-no-drops per-cpu
# @ref options 6 off-per-cpu
. "$SRCDIR/tests/live/buffers/lib.sh"

ncpus=$(getconf _NPROCESSORS_ONLN)
# a record is a header, 8 bytes of its own and 40 of data: no more of them fit
room=$((1 << 20)) least=48

# ends although the command goes on
printf '#!/bin/sh\n%s\nexec sleep 50\n' "$BUILD/tests/live/triggers/$burst" >child
chmod +x child
"$DTRACE" -q -b $room -x bufpolicy=fill -x statusrate=50ms -n "${program/pid ==/ppid ==}" -c ./child \
	>out.txt 2>err.txt || complain "status $?: $(<err.txt)"
check_lines
for t in 0 1; do
	[[ ${lines[t]} -le $((room / least)) ]] || complain "fill: ${lines[t]} records of thread $t"
	# a thread may come too late for a buffer that was closed with the other's
	[[ ${lines[t]} == 0 ]] || expect "fill: thread $t from" "${first[t]} to ${last[t]}" "0 to $((lines[t] - 1))"
done
[[ $((lines[0] + lines[1])) -ge 1000 ]] || complain "fill: ${lines[*]} records"
expect "fill: gaps" "$gaps" 0

for temporal in yes no; do
	run_trigger "$burst" -b $room -x bufpolicy=ring -x temporal=$temporal -n "$program"
	expect "ring, temporal=$temporal: messages" "$(<err.txt)" ""
	check_lines
	for t in 0 1; do
		[[ $ncpus == 1 || ${lines[t]} -ge 1000 && ${lines[t]} -le $((room / least)) ]] ||
			complain "ring, temporal=$temporal: ${lines[t]} records of thread $t"
		[[ $ncpus == 1 ]] || expect "ring, temporal=$temporal: thread $t to" "${last[t]}" $((half - 1))
	done
	expect "ring, temporal=$temporal: gaps" "$gaps" 0
	[[ $temporal == yes || $ncpus == 1 ]] || expect "ring: from one CPU to the other" "$switches" 1
done
exit $bad
