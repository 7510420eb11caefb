#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=folded: stacks as flame graph tools read them, of aggregations and of records.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
frames=$BUILD/tests/live/triggers/frames
probe='syscall::getppid:entry /pid == $target/'

echo "== keys"
"$DTRACE" --output=folded -qn "$probe { @[execname, ustack(3), \"a;b\"] = sum(2); @other = count(); }" -c "$frames 4"
echo "== distributions, printa()"
"$DTRACE" --output=folded -qn "$probe { @[ustack(1)] = quantize(1); } END { printa(@); }" -c "$frames 4"
echo "== records"
"$DTRACE" --output=folded -qn "$probe { trace(1); ustack(2); }" -c "$frames 4"
echo "== user and kernel"
"$DTRACE" --output=folded -qn "$probe { stack(1); ustack(2); @[stack(1), ustack(2)] = count(); }" -c "$frames 4" |
	sed -E 's/;vmlinux`[a-z0-9_.]+ /;KERNEL /'
echo "== none"
"$DTRACE" --output=folded -qn 'BEGIN { @a = count(); @b["x"] = count(); printf("text"); exit(0); }'
