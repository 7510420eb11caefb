#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# hardirqs counts the handlers of devices' interrupts: no more than /proc/interrupts, and most of them.
# @alone
. "${0%/*}/lib.sh"

# "IRQ COUNT" of those that have a number
interrupts() { awk '$1 ~ /^[0-9]+:$/ { n = 0; for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; sub(":", "", $1); print $1, n }' /proc/interrupts; }

rm -f out.json out.txt
interrupts >before.txt
# something that interrupts: blocks that are written through to a disk, and the time that passes
{ for _ in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=written bs=4k count=20 oflag=dsync conv=notrunc; sleep .2; done; } 2>/dev/null &
tool hardirqs -d 2 --output=json:out.json
wait
interrupts >after.txt
expect_status 0
expect_err ""
join <(sort before.txt) <(sort after.txt) | awk '$3 > $2 { print $1, $3 - $2 }' >real.txt
jq -r '.items[]? | select(.aggregations?[0].name == "count") | .rows[] | "\(.keys[0].value) \(.values[0].value)"' out.json | sort >counted.txt
[[ -s real.txt ]] || { echo "no device of this machine has interrupted"; exit 77; }
[[ -s counted.txt ]] || complain "nothing was counted; there were: $(tr '\n' ';' <real.txt)"
while read -r irq n; do
	expect_between "interrupts $irq" "$n" 1 "$(awk -v irq="$irq" '$1 == irq { print $2 }' real.txt)"
done <counted.txt

# COUNT * MEAN is TOTAL, and a handler does not run for longer than the tool does on all CPUs
expect_text "sums" "$(jq -c --argjson cpus "$(nproc)" '.items[]? | select(.aggregations?[0].name == "count") | .rows[] | [.values[].value] |
	select(.[1] < .[0] * .[2] or .[1] >= .[0] * (.[2] + 1) or .[3] > .[1] or .[1] > 60000000000 * $cpus)' out.json | head -5)" ""

tool hardirqs -D -d 1 -i 1
expect_match stdout "$out" '^Handlers of interrupts. Ends with \^C.

20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}
 IRQ NAME +COUNT +TOTAL ns +MEAN ns +MAX ns
'
tool hardirqs -h
expect_match stdout "$out" '^hardirqs: '
finish
