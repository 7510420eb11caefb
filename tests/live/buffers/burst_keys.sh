#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 200,000 keys: with room for them each has its count, without, as many updates were dropped as are
# missing; all are printed, in order, and the consumer needs less than 100 MB for it.
# @timeout 60
# @ref d-errors 5 aggregation
# @ref output 13 aggregation
# @ref options 5.2 new-keys-only
. "$SRCDIR/tests/live/buffers/lib.sh"

keys=100000 # of each thread
[[ -z ${DTRACE_VM:-} ]] || keys=10000

# What stands in out.txt beside "arg0 arg1 value", and the sum of the values.
check_keys() { # WHAT
	awk '
		NF == 0 { next }
		!/^ +[01] +[0-9]+ +[0-9]+$/ { print "not a row:", $0; exit }
		seen[$1, $2]++ { print "twice:", $0; exit }
		$3 < value || $3 == value && NR > 2 && ($1 < k1 || $1 == k1 && $2 <= k2) { print "out of order:", $0; exit }
		{ value = $3; k1 = $1; k2 = $2; sum += $3; n++ }
		END { print "n=" n + 0, "sum=" sum + 0 }' out.txt >rows.txt
	complaint=$(grep -v '^n=' rows.txt)
	[[ -z $complaint ]] || complain "$1: $complaint"
	eval "$(grep '^n=' rows.txt)"
}

# with room
"$BUILD/bench/clock" run clock.txt "$DTRACE" -q -x aggsize=12m -n 'syscall::getppid:entry /pid == $target/ {
	@[arg0, arg1] = count(); @[arg0, arg1] = count(); @total = count(); } END { printa(@); }' \
	-c "$BUILD/tests/live/triggers/values spread 2 $keys" >out.txt 2>err.txt || complain "status $?: $(<err.txt)"
expect "with room, messages" "$(<err.txt)" ""
total=$(awk 'NF == 1 { print $1 }' out.txt)
sed -i -E '/^ +[0-9]+$/d' out.txt
expect "without keys" "$total" $((2 * keys))
check_keys "with room"
expect "with room, keys and counts" "$n $sum" "$((2 * keys)) $((4 * keys))"
read -r _ _ kib _ status <clock.txt
expect "status" "$status" 0
# the sanitizers' own memory does not count
grep -q __asan_init "$DTRACE" || [[ $kib -le $((100 * 1024)) ]] || complain "$kib KiB resident"

# without
run_trigger "values spread 2 $keys" -x aggsize=256k -n 'syscall::getppid:entry /pid == $target/ { @[arg0, arg1] = count(); }'
drops '([0-9]+) aggregation drops? on CPU [0-9]+'
check_keys "without room"
expect "without room, counted $sum and dropped $dropped" $((sum + dropped)) $((2 * keys))
[[ $n -gt 1000 && $n -lt $((2 * keys)) && $dropped -gt 0 ]] || complain "$n keys, $dropped drops"

# the default loses none; only if they come faster than they are read, it says how much is enough, and that is
if [[ -z ${DTRACE_VM:-} ]]; then
	clause='syscall::getppid:entry /pid == $target/ { @[arg0, arg1] = count(); }'
	run_trigger "values spread 2 $keys" --fail-on-drops -n "$clause"
	expect "default, messages" "$(<err.txt)" ""
	check_keys "default"
	expect "default, keys and counts" "$n $sum" "$((2 * keys)) $((2 * keys))"

	long='syscall::getppid:entry /pid == $target/ { @[arg0, strjoin("key ", lltostr(arg1))] = count(); }'
	try -x strsize=8k -c "$triggers/values spread 2 3000" -n "$long"
	advice=$(sed -n 's/^dtrace: new keys of an aggregation came faster than they were read: -x \(aggsize=[0-9]*[kmg]\) has room for all$/\1/p' err.txt)
	[[ $advice ]] || complain "no advice: $(<err.txt)"
	try -x strsize=8k -x "${advice:-aggsize=4m}" --fail-on-drops -c "$triggers/values spread 2 3000" -n "$long"
	expect "as advised: status" $status 0
	expect "as advised: messages" "$(<err.txt)" ""
fi
exit $bad
