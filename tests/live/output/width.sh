#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On a terminal tables and bars fit the window, each the size that it has then; with -x width=0, in a file and off a
# terminal the layout is DTrace's.
# @vm no: the text of output, the kernel has no part in it
set -u
. "$SRCDIR/tests/live/cli/lib.sh"
command -v script >/dev/null || { echo "no script(1)"; exit 77; }

what=width.sh
on_terminal() { # COLUMNS COMMAND
	TERM=xterm NO_COLOR=1 script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' >tty.txt
}
longest() {
	awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' "$@"
}
cat >keys.d <<'D'
BEGIN
{
	@n["bash", 12] = count();
	@n["a key that is far longer than the window of this test has columns", 7] = count();
	@q["k"] = quantize(1000);
	exit(0);
}
D
cat >wide.txt <<'D'

  a key that is far longer than the window of this test has columns        7                1
  bash                                                     12                1
D

for columns in 45 60 72 100; do
	on_terminal "$columns" "$DTRACE -qs keys.d"
	expect_status 0
	[[ $(longest tty.txt) -le $columns ]] || complain "$columns columns: $(<tty.txt)"
done
expect_text "100 columns" "$(head -3 tty.txt)" '
  a key that is far longer than the window of this test has columns   7        1
  bash                                                               12        1'
on_terminal 45 "$DTRACE -qs keys.d"
expect_text "45 columns" "$(head -5 tty.txt)" '
  a key that is ...t has columns   7        1
  bash                            12        1
  k
value  --------- Distribution --------- count'

# not where a file, a pipe or the user says otherwise
on_terminal 45 "$DTRACE -x width=0 -qs keys.d"
expect_text "width=0" "$(head -3 tty.txt)" "$(<wide.txt)"
printf '#pragma D option width=0\n' | cat - keys.d >pragma.d
on_terminal 45 "$DTRACE -qs pragma.d"
expect_text "a pragma" "$(head -3 tty.txt)" "$(<wide.txt)"
on_terminal 45 "$DTRACE -o file.txt -qs keys.d"
expect_text "-o" "$(head -3 file.txt)" "$(<wide.txt)"
on_terminal 45 "$DTRACE -qs keys.d | cat"
expect_text "a pipe" "$(head -3 tty.txt)" "$(<wide.txt)"
on_terminal 45 "$DTRACE -qwn 'BEGIN { @n[\"k\"] = count(); freopen(\"reopened.txt\"); printa(@n); exit(0); }'"
expect_text "freopen()" "$(<reopened.txt)" $'\n  k                                                                 1'
try "$DTRACE" -x width=45 -qs keys.d
[[ $(longest out.txt) -le 45 ]] || complain "-x width=45 off a terminal: $(<out.txt)"

# another size
on_terminal 90 "$DTRACE -qwn 'tick-100hz /!n++/ { @n[\"0123456789abcdefghijklmnopqrstuvwxyz\"] = count(); printa(@n);
	system(\"stty cols 40 </dev/tty\"); } tick-5s { printa(@n); exit(0); }'"
expect_text resized "$(<tty.txt)" '
  0123456789abcdefghijklmnopqrstuvwxyz        1

  0123456789abc...nopqrstuvwxyz        1'

# equal messages of faults are counted
fault='dtrace: error in dt_clause_0 for probe ID [0-9]+ \(profile:::tick-1000hz\): invalid address \(0x[0-9a-f]+\) in action #1 at line 1'
on_terminal 200 "$DTRACE -qn 'tick-1000hz { x = *(int *)n++; } tick-3s { exit(0); }'"
expect_match "the first fault" "$(head -1 tty.txt | sed 's/ID [0-9]* //')" "^${fault/ID \[0-9\]+ /}\$"
[[ $(grep -cE "^$fault \([0-9]+ more\)\$" tty.txt) =~ ^[2-5]$ ]] || complain "numbers of faults: $(<tty.txt)"
sum=$(sed -nE 's/.*\(([0-9]+) more\)$/\1/p' tty.txt | awk '{ n += $1 } END { print n + 1 }')
expect_text "sum of faults" "$sum" "$(sed -nE 's/^dtrace: ([0-9]+) errors at line 1.*/\1/p' tty.txt)"
expect_text "lines about faults" "$(grep -cE "^$fault\$" tty.txt)" 1
finish
