#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=fill and ring: nothing is printed while tracing goes on, everything when it ends by ^C; switch prints all
# the time.
# @ref options 5.1 fill-stops switch ring-keeps-newest
# @ref cli 5.1 interrupt
. "$SRCDIR/tests/live/buffers/lib.sh"

for policy in switch fill ring; do
	: >out.txt
	rm -f started
	env --default-signal=INT "$DTRACE" -wq -x bufpolicy=$policy -x statusrate=10ms -n 'BEGIN { printf("begin\n"); }
		syscall::getppid:entry /pid == $target/ { printf("r %d\n", n++); } END { printf("end\n"); }' \
		-c "$triggers/paced 1000000 1" >out.txt 2>err.txt </dev/null &
	# far more passes than it takes
	for ((i = 0; i < 200; i++)); do
		[[ $(grep -c ^r out.txt) -gt 3 ]] && break
		[[ $policy != switch && $i -gt 10 ]] && break
		sleep 0.05
	done
	if [[ $policy == switch ]]; then
		[[ -s out.txt ]] || complain "$policy: nothing was printed within 10 s"
	else
		expect "$policy, while tracing" "$(<out.txt)" ""
	fi
	kill -s INT $!
	wait $! || complain "$policy: status $?"
	expect "$policy: BEGIN and END" "$(grep . out.txt | sed -n '1p;$p' | tr '\n' ' ')" "begin end "
	read -r _ first last count <<<"$(sequences)"
	expect "$policy: all" "$first $((last + 1))" "0 $count"
	[[ $count -gt 3 ]] || complain "$policy: $count records"
	quiet $policy
done
exit $bad
