#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=flamegraph that cannot draw: one line says why, status 1, and there is no file, or the old one.
# @vm no: the text of messages, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

refused() { # PROGRAM MESSAGE
	local status=0 ending file
	for ending in html svg; do
		file=f.$ending
		echo old >old.$ending
		for file in f.$ending old.$ending; do
			status=0
			"$DTRACE" --output=flamegraph:$file -qn "$1" >out.txt 2>err.txt </dev/null || status=$?
			[[ "$status $(<err.txt)" == "1 dtrace: "*"$2" ]] || { echo "$1: $status $(<err.txt)"; bad=1; }
		done
		[[ ! -e f.$ending && $(<old.$ending) == old ]] || { echo "$1: a file was written: $(ls)"; bad=1; }
	done
}

refused 'BEGIN { @a = count(); exit(0); }' 'no aggregation has a stack in its key, and no stack is recorded'
refused 'BEGIN { @a[stack()] = max(1); @b[stack(1)] = min(1); exit(0); }' \
	'no aggregation with a stack in its key has values that add up'
refused 'BEGIN { @a[stack()] = count(); exit(0); } BEGIN { trace(nope); }' 'failed to resolve nope: Unknown variable name'

for ending in html svg; do
	mkdir -p d && ln -sf /dev/full d/f.$ending
	status=0
	"$DTRACE" --output=flamegraph:d/f.$ending -qn 'BEGIN { @a[stack()] = count(); exit(0); }' 2>err.txt </dev/null || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: "*"failed to write to d/f.$ending: No space left on device" ]] ||
		{ echo "full: $status $(<err.txt)"; bad=1; }
done
exit $bad
