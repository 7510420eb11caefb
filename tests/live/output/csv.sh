#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=csv: tables that a spreadsheet reads, of printa() and of the end.
# @vm no: the text of messages and output, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" --output=csv:out.csv -qn '
	BEGIN
	{
		@c["plain", 1] = count(); @c["a,\"b\"\nc", -2] = count();
		@s["plain", 1] = sum(-3); @total = sum(7); @avg = avg(5); @avg = avg(8);
		@q["x"] = quantize(-5); @q["x"] = quantize(0); @q["x"] = quantize(1000, 3);
		@l = lquantize(-1, 0, 10, 5); @l = lquantize(10, 0, 10, 5);
		@gone = count(); trunc(@gone);
		printa(@c, @s);
		printa("%@d\n", @total);
		normalize(@l, 1);
		exit(0);
	}'
cat out.csv
! command -v python3 >/dev/null || python3 -c '
import csv
rows = [row for row in csv.reader(open("out.csv", newline="")) if row]
assert ["c", "a,\"b\"\nc", "-2", "1"] in rows, rows'
