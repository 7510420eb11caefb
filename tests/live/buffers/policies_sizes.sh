#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records as large as the buffer, and larger ones, with each policy.
# @ref options 5.1 too-small per-cpu
# @ref d-errors 1.2 start-of-tracing
. "$SRCDIR/tests/live/buffers/lib.sh"

for policy in switch fill ring; do
	try -x bufpolicy=$policy -b 4k -x strsize=5000 -n 'BEGIN { s = "a"; printf("%s", s); exit(0); }'
	expect "$policy, too large" "$status $(<err.txt)$(<out.txt)" \
		"1 dtrace: could not enable tracing: Enabling exceeds size of buffer"
	# the largest that there can be
	large=0
	for ((size = 4095; size > 4000 && !large; size -= 8)); do
		try -x bufpolicy=$policy -b 4k -x strsize=$size -n 'BEGIN { s = "a"; trace(s); exit(0); }'
		[[ $status == 0 ]] && large=$size
	done
	[[ $large -gt 4000 ]] || complain "$policy: the largest is $large"
	expect "$policy, as large" "$(<out.txt)" a
	quiet "$policy, as large"
	# again and again: only one is there at a time
	text=$(printf '%0*d' 3000 7)
	run -x bufpolicy=$policy -b 4k -x strsize=$((large - 24)) -n 'int n; BEGIN { s = "'"$text"'"; }
		syscall::getppid:entry /pid == $target/ { printf("%s %d\n", s, n); n++; }' -c "$triggers/calls getppid 100"
	[[ -z $(grep -vE "^$text [0-9]+\$" out.txt | tr -d '\n') ]] || complain "$policy: a torn record"
	case $policy in
	fill) expect "fill, the first" "$(awk '{ printf "%s", $2 }' out.txt)" 0 ;;
	ring) expect "ring, the last" "$(awk '{ printf "%s", $2 }' out.txt)" 99 ;;
	esac
done
exit $bad
