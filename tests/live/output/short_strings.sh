#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records have the names of their process and thread whole, and load, however short option strsize makes D's strings.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v jq >/dev/null || { echo "needs jq"; exit 77; }
cp "$(type -P true)" "$TMPDIR/fifteen_letters" || exit 1
for n in 2 14 15; do
	"$DTRACE" -q -x strsize=$n --output=json -n 'syscall::exit_group:entry /pid == $target/ { trace(execname); }' \
		-c "$TMPDIR/fifteen_letters" >"$TMPDIR/out" 2>&1 || cat "$TMPDIR/out"
	jq -c 'select(.type == "record") | [.execname, .items[0].values[0].value]' "$TMPDIR/out"
done
