#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# syscount counts what strace -c counts, by call and by process, all calls or those that fail.
. "${0%/*}/proc.sh"

command -v strace >/dev/null || { echo "needs strace"; exit 77; }
trigger() { for i in {1..40}; do [[ -e /nosuch/$i ]]; done; }
count() { awk -v call="$1" '$1 == call { print $2 }' <<<"$out"; }

# all of a program's calls
dd_calls=(dd if=/dev/zero of=/dev/null bs=1 count=300 status=none)
strace -c -o strace.txt "${dd_calls[@]}"
printf '%s\n' '#!/bin/bash' "${dd_calls[*]}" >run.sh
chmod +x run.sh
try "$DTRACE" -c ./run.sh --tool syscount -n dd
expect_status 0
expect_err ""
expect_match stdout "$out" '^SYSCALL +COUNT
'
for call in read write openat close; do
	expect_text "$call" "$(count "$call")" "$(awk -v call="$call" '$NF == call { print $4 }' strace.txt)"
done

tool_on_trigger syscount -p @ -x
expect_text "calls that fail" "$(count newfstatat)" 40
tool_on_trigger syscount -p @ -T 1
expect_text "rows" "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 1
tool_on_trigger syscount -P -x -n syscount.sh
expect_match stdout "$out" '^ +PID COMM +COUNT
'
for pid in "$trigger" "$other"; do
	expect_between "failures of a process" "$(awk -v pid="$pid" '$1 == pid { print $3 }' <<<"$out")" 40 60
done
tool_on_trigger syscount -P -p @
expect_text "processes" "$(awk 'NR > 1 && NF { print $1 }' <<<"$out")" "$trigger"
tool syscount -p $$ -i 1 -d 2
expect_match stdout "$out" '
20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}'
tool_on_trigger syscount -p @ -x --output=json:out.json
expect_text JSON "$(jq -s '[.. | .rows? // empty | .[] | select(.keys?[0].value == "newfstatat") | .values[0].value] | add' out.json)" 40
tool syscount -h
expect_match stdout "$out" '^syscount: '
finish
