#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --top in a terminal of three sizes: the largest first, no line longer than the window, keys that rose are marked, q ends it
# with the usual output, and the terminal is as it was.
# @vm no: the text of output, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v tmux >/dev/null || { echo "no tmux"; exit 77; }

fail=0
complain() { echo "$*"; fail=1; }
socket=$PWD/tmux
trap 'tmux -S "$socket" kill-server 2>/dev/null' EXIT

program='BEGIN { @few["few"] = count(); }
	tick-10ms { @["first"] = count(); @["second"] = count(); @["second"] = count(); @q = quantize(3); }
	tick-10ms /n++ > 200/ { @["last"] = sum(5); }
	tick-1s { printf("kept\n"); }
	END { printf("ended\n"); }'
program=${program/'@["last"] = sum(5)'/'@["last"] = count(); @["last"] = count(); @["last"] = count(); @["last"] = count(); @["last"] = count()'}

show() { tmux -S "$socket" capture-pane -p; }
# Waits until the screen matches $1.
until_shows() {
	local i

	for ((i = 0; i < 100; i++)); do
		show | grep -qE "$1" && return
		sleep 0.1
	done
	complain "never shown: $1"
	show
}
check_size() { # COLUMNS ROWS
	local lines

	tmux -S "$socket" resize-window -x "$1" -y "$2"
	until_shows "^q quit"
	sleep 0.3
	lines=$(show | wc -l)
	[[ $lines == "$2" ]] || complain "$1 x $2: $lines lines"
	show | head -1 | grep -qE '^dtrace  [0-9:]{8}$' || complain "$1 x $2: no title: $(show | head -1)"
	[[ $(show | tail -1) == "q quit"* ]] || complain "$1 x $2: the last line is $(show | tail -1)"
	awk -v most="$1" 'length($0) > most { exit 1 }' <(show) || complain "$1 x $2: a long line"
}

tmux -S "$socket" -f /dev/null new-session -d -x 100 -y 30 "
	printf 'before\n'; '$DTRACE' --top -n '${program//\'/}' 2>err.txt; echo status \$? >status.txt; stty -a | grep -o '.icanon' >tty.txt; sleep 60"
until_shows '^  second +[0-9]+'
show | grep -E '^[ ^] (first|second) ' | head -1 | grep -q second || complain "the largest is not the first"
until_shows '^\^ last +[0-9]+'
until_shows ' [0-9]+/s$'
until_shows '2 +\|@+ +[0-9]+'
check_size 100 30
check_size 60 16
check_size 140 50
tmux -S "$socket" send-keys q
until_shows 'ended$'
show | grep -q '^before' || complain "the screen before is gone"
show | grep -q kept || complain "printf() is not shown at the end"
show | grep -qE '^  few +1$' || complain "no aggregations at the end"
for ((i = 0; i < 50; i++)); do [[ -s tty.txt ]] && break; sleep 0.1; done
[[ $(<status.txt) == "status 0" ]] || complain "$(<status.txt)"
[[ $(<tty.txt) == " icanon" ]] || complain "the terminal is left in another mode: $(<tty.txt)"

"$DTRACE" --top -n 'BEGIN { exit(0); }' </dev/null >out.txt 2>&1
[[ $? == 1 ]] && grep -q -- '--top needs a terminal' out.txt || complain "without a terminal: $(<out.txt)"
exit $fail
