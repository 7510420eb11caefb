#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Probes that fire inside other probes' clauses, and loops that write more than the buffer holds: whatever the policy,
# what is printed is whole, in order, and one of what was recorded.
# @ref options 5.1 ring-keeps-newest fill-stops switch
# @ref options 5.6 only-that-cpu begin-and-end
. "$SRCDIR/tests/live/buffers/lib.sh"

rate=4999 calls=20000
[[ -z ${DTRACE_VM:-} ]] || rate=199 calls=1000 # no more than it can keep up with
program='syscall::getppid:entry /pid == $target/ { self->n++; printf("S %d %s %s %d E\n", self->n, execname, probefunc, self->n); }
	profile-'$rate' { m[cpu]++; for (this->i = 0; this->i < 40; this->i++) { printf("P %d %d %s %s %d E\n", this->i, cpu, "aaaaaaaaaaaaaaaa", probename, this->i); } }
	END { printf("end\n"); }'
affinity=0
[[ $(nproc) == 1 ]] || affinity=0,1
for policy in switch fill ring; do
	# 40 records are a quarter of a lap at 8k
	for size in 8k 64k; do
		run -x bufpolicy=$policy -b $size -x strsize=32 -n "$program" -c "$triggers/calls threads 4 $calls"
		wrong=$(grep -aE -v '^S ([0-9]+) calls getppid \1 E$|^P ([0-9]+) [0-9] a{16} profile-'$rate' \2 E$|^end$|^$' out.txt)
		[[ -z $wrong ]] || complain "$policy $size: $(head -c 300 <<<"$wrong")"
		expect "$policy $size: END" "$(grep -c '^end$' out.txt)" 1
		[[ $(grep -c '^[SP]' out.txt) -gt 10 ]] || complain "$policy $size: hardly anything"
		# those of an interrupt follow one another, and it is whole, except for the first and last
		awk '/^P/ { if (($3 in last) && $2 != (last[$3] + 1) % 40 && !drops) bad = 1; last[$3] = $2 }
			END { exit bad }' drops=$([[ $policy == switch ]] && echo 1 || echo 0) out.txt ||
			complain "$policy $size: the records of a loop are not in order"
		[[ $policy != ring ]] || ! grep -q drop err.txt || complain "ring: $(<err.txt)"
	done
done

affinity=0
# a loop writes over itself many times
run -x bufpolicy=ring -b 4k -n 'BEGIN { for (i = 0; i < 1000; i++) { printf("b %d\n", i); } exit(0); }'
read -r _ first last count <<<"$(sequences)"
expect "a loop's newest" "$last $((last - first + 1))" "999 $count"
quiet "a loop"

# one CPU alone
for policy in switch fill ring; do
	run -x bufpolicy=$policy -x cpu=1 -n 'BEGIN { printf("begin %d\n", cpu); }
		syscall::getppid:entry /pid == $target/ { printf("%d %d\n", cpu, arg1); }
		END { printf("end %d\n", cpu); }' -c "$triggers/values spread 2 50"
	expect "$policy, cpu=1" "$(grep -v '^1' out.txt | tr '\n' ' ')" "begin 1 end 1  "
	expect "$policy, cpu=1" "$(grep '^1' out.txt | awk '$2 == n { n++ } END { print NR, n }')" "50 50"
done
exit $bad
