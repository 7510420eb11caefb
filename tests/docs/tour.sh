#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/tour.md (or PAGE) in order, in one folder with the files that the page shows, and compares
# their output.  tour.sh -p prints the current output.
# @timeout 120
#
# A ```d, ```sh or ```c block is a file; the comment in its first line is the name.  In a ```console block a line that
# begins with "# " is a command, "> " continues it, and the other lines are its output.  There <pid>, <id>, <cpu>, <ns>
# and <n> match a number and the blanks before it.  Blanks at the end of a line and empty lines at the end are ignored.
# Messages, which begin with "dtrace: ", may come anywhere in the output.
set -u
page=$SRCDIR/docs/${PAGE:-tour.md}
export PATH=${DTRACE%/*}:$PATH LC_ALL=C TZ=UTC
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }

print=0 status=0 ran=0 section=0
[[ ${1:-} == -p ]] && print=1

# Messages, then the rest.
tidy() {
	awk '{ sub(/[ \t]+$/, "") } /^dtrace: / { print; next } { rest[++n] = $0 }
		END { while (n && rest[n] == "") n--; for (i = 1; i <= n; i++) print rest[i] }'
}

# Prints a regular expression that matches the output in the page.
pattern() {
	tidy | sed -E -e 's/[][\\.*^$+?(){}|]/\\&/g' -e 's/ *<(pid|id|cpu|ns|n)>/ *[0-9]+/g'
}

run() { # COMMAND EXPECTED
	local got want
	ran=$((ran + 1))
	if [[ $print == 1 ]]; then
		printf '== %s\n# %s\n' "$section" "$1"
		bash -c "$1" 2>&1 </dev/null
		return
	fi
	got=$(bash -c "$1" 2>&1 </dev/null | tidy)
	want=$(pattern <<<"$2")
	[[ $got =~ ^$want$ ]] && return
	printf 'FAIL section %s: %s\n' "$section" "$1"
	diff <(tidy <<<"$2") <(echo "$got") | sed 's/^/     /'
	status=1
}

block="" command="" output="" numbers=""
finish() {
	[[ $block == console && -n $command ]] && run "$command" "$output"
	command="" output=""
}
while IFS= read -r line; do
	if [[ -z $block ]]; then
		case $line in
		'```d' | '```sh' | '```c' | '```console') block=${line#???} file="" ;;
		'```'*) block=other ;;
		'## '[0-9]*) section=${line#\#\# } numbers+=" ${section%%.*}" ;;
		esac
	elif [[ $line == '```' ]]; then
		finish
		block=""
	elif [[ $block == console ]]; then
		case $line in
		'# '*) finish; command=${line#??} ;;
		'> '*) command+=$'\n'${line#??} ;;
		*) output+=$line$'\n' ;;
		esac
	elif [[ $block != other ]]; then
		if [[ -z $file ]]; then
			[[ $line =~ ^(/\*|#)\ ([a-z]+\.(d|sh|c))( \*/)?$ ]] || { echo "a file without a name: $line"; exit 1; }
			file=${BASH_REMATCH[2]}
			: >"$file"
		fi
		printf '%s\n' "$line" >>"$file"
	fi
done <"$page"
[[ $print == 1 ]] && exit
[[ -n ${PAGE:-} && $ran -ge 1 ]] || [[ $numbers == " $(seq -s ' ' 20)" && $ran -ge 20 ]] || { echo "examples:$numbers, $ran run"; exit 1; }
exit $status
