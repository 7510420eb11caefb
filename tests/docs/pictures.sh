#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/pictures.md, section "Flame graphs", write the files that they name.
# @vm no: it takes a second of samples for each command
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0 n=0

# something to sample
while :; do :; done &
busy=$!
trap 'kill "$busy"' EXIT

while read -r command; do
	n=$((n + 1))
	command=${command//tick-10s/tick-1s}
	output=${command#*--output=*:} output=${output%% *}
	eval "timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) \"\$DTRACE\" ${command#dtrace }" >out.txt 2>err.txt </dev/null
	status=$?
	[[ $status == 0 && -s $output ]] || { echo "$command: status $status, $(<err.txt)"; bad=1; }
done < <(awk '/^## /{ on = $0 == "## Flame graphs" } on && /^    dtrace /{ sub(/^ +/, ""); print }' "$SRCDIR/docs/pictures.md")
[[ $n -ge 3 ]] || { echo "only $n commands"; bad=1; }
grep -q '"old count"' diff.html || { echo "diff.html has no older numbers"; bad=1; }
exit $bad
