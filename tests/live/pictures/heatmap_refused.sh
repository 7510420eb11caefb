#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=heatmap that cannot draw: one line says why, status 1, and there is no file, or the old one; on a full disk, too.
# @vm no: the text of messages, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
# the small disk below is nobody else's
[[ ${UNSHARED:-} ]] || UNSHARED=1 exec unshare -m "$0"
bad=0
nothing='no aggregation is a distribution, and no count() or sum() has a walltime_t in its key'

refused() { # PROGRAM MESSAGE
	local status=0 ending file
	for ending in html png; do
		echo old >old.$ending
		for file in f.$ending old.$ending; do
			status=0
			"$DTRACE" --output=heatmap:$file -qn "$1" >out.txt 2>err.txt </dev/null || status=$?
			[[ "$status $(<err.txt)" == "1 dtrace: "*"heatmap: $2" ]] || { echo "$1: $status $(<err.txt)"; bad=1; }
			[[ $(wc -l <err.txt) == 1 ]] || { echo "$1: several lines: $(<err.txt)"; bad=1; }
		done
		[[ ! -e f.$ending && $(<old.$ending) == old ]] || { echo "$1: a file was written: $(ls)"; bad=1; }
	done
}

refused 'BEGIN { printf("ran"); exit(0); }' "$nothing"
refused 'BEGIN { @a["x", pid] = count(); @s = sum(1); exit(0); }' "$nothing"
refused 'BEGIN { @a[walltimestamp] = count(); exit(0); }' "$nothing"
refused 'BEGIN { @a[walltimebin[1000]] = max(1); exit(0); }' "$nothing"
[[ ! -s out.txt ]] || { echo "it began to trace: $(<out.txt)"; bad=1; }
refused 'BEGIN /0/ { @a = quantize(1); } BEGIN { exit(0); }' 'no value was aggregated'

status=0
"$DTRACE" --output=heatmap:f.svg -qn 'BEGIN { @a = quantize(1); exit(0); }' 2>err.txt </dev/null || status=$?
[[ $status == 1 && $(<err.txt) == *"the name of the file must end in one of: html png" ]] || { echo "svg: $status $(<err.txt)"; bad=1; }

mkdir small
mount -t tmpfs -o size=4k none small || { echo "cannot mount a tmpfs"; exit 77; }
for ending in html png; do
	status=0
	"$DTRACE" --output=heatmap:small/f.$ending -qn 'tick-1ms { @a[walltimebin[1000000]] = lquantize(rand() % 1000, 0, 1000, 1); }
		tick-500ms { exit(0); }' 2>err.txt </dev/null || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: "*"failed to write to small/f.$ending: No space left on device" ]] ||
		{ echo "full, $ending: $status $(<err.txt)"; bad=1; }
	[[ -z $(ls -A small) ]] || { echo "full, $ending: a file is left: $(ls -A small)"; bad=1; }
done
exit $bad
