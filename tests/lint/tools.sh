#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each tool says what it is for and is described in docs/tools.md, with a row of its table that has no empty cell; it has a live
# test, which uses each of its parameters, and -p, unless what it shows belongs to no process. -d ends each of them.
cd "$SRCDIR" || exit 1
# interrupts, queues of CPUs, the whole machine's processes, segments that a timer sends
without_p=" hardirqs runqlen pidpersec tcpretrans exitsnoop "
status=0
complain() { echo "$1: $2"; status=1; }

for tool in tools/*.d; do
	name=${tool#tools/} name=${name%.d} test=tests/live/tools/$name.sh
	[[ -x $tool && $(head -n 1 "$tool") == '#!/usr/sbin/dtrace -s' ]] || complain "$tool" "is no executable script"
	grep -q "^#pragma tool usage \"$name: [^\"]*\"$" "$tool" || complain "$tool" "has no usage"
	[[ $(sed -n 's/^#pragma tool param \([^ ]*\) .*"end after .*/\1/p' "$tool") == d ]] || complain "$tool" "does not end after -d N"
	row=$(grep "^| \[$name\](#$name) |" docs/tools.md)
	[[ $(wc -l <<<"$row") == 1 && $row =~ ^(\|\ [^|]*[^|\ ][^|]*){5}\|$ ]] || complain docs/tools.md "has no full row for $name"
	[[ $(grep -c "^## $name\$" docs/tools.md) == 1 ]] || complain docs/tools.md "has no section for $name"
	[[ -x $test ]] || { complain "$tool" "has no test"; continue; }
	mapfile -t params < <(sed -nE 's/^#pragma tool param ([A-Za-z0-9-]+) .*/\1/p' "$tool")
	for p in "${params[@]}"; do
		[[ ${#p} == 1 ]] && option="-$p" || option="--$p"
		cat "$test" tests/live/tools/cgroup.sh | grep -qE -- "(^|[ (\"])$option([ =0-9\");]|\$)" ||
			complain "$test" "does not use $option"
	done
	[[ " ${params[*]} " == *" p "* || $without_p == *" $name "* ]] || grep -q '\$target' "$tool" || complain "$tool" "has no -p"
done
# dtrace-tools(8) is made of both
for tool in tools/*.d; do
	name=${tool#tools/}
	grep -q "^\.Ss ${name%.d}\$" "$BUILD/dtrace-tools.8" || complain "dtrace-tools(8)" "has no ${name%.d}"
done
exit $status
