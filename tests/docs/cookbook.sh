#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/cookbook.md with their workloads, in one folder with the files that the page shows, and
# compares their output.  -p [TEXT] prints the current output of the commands that contain TEXT.  -k runs only the commands
# that trace kernel functions (cookbook-functions.sh).
# @timeout 240
# @ref providers 6; providers 7; providers 8; providers 9; providers 10; providers 12; providers 14
#
# A ```d, ```sh, ```c, ```python or ```sql block is a file; the comment in its first line is the name.  In a ```console block a
# line that begins with "# " is a command, "> " continues it, and the other lines are its output.  Output differs between
# runs, so the test compares the shape of its lines:
# - a number matches any number, a frame any frame, a function (module`function) any function, a row of a distribution any
#   row, and blanks any blanks;
# - the order and the number of lines are ignored;
# - other lines are permitted if the page says "..." or the command traces the whole machine (it has no $target), except
#   lines that begin with "dtrace: ".
# Comments above a block restrict or relax this:
#	<!-- shows: REGEX -->	a line of the output must match
#	<!-- varies: REGEX -->	lines that match are optional
#	<!-- needs: WHAT -->	skip the block unless a kernel mechanism, as in @needs, or a command is available
#	<!-- slow -->		skip the block in virtual machines
#	<!-- can: COMMAND -->	skip the block if COMMAND exits with status 77
set -u
page=$SRCDIR/docs/${PAGE:-cookbook.md} # another page sets PAGE and QUESTIONS
export PATH=${DTRACE%/*}:${TRIGGERS:+$TRIGGERS:}$PATH LC_ALL=C TZ=UTC
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
# private ports and mounts
[[ -n ${COOKBOOK:-} ]] || COOKBOOK=own exec unshare -mn "$0" "$@"
[[ $COOKBOOK != own ]] || ip link set lo up 2>/dev/null || "$BUILD/tests/live/triggers/net" -h

print=0 functions=0 status=0 ran=0 left=0 number=0 section=0 text=""
while getopts pk opt; do
	case $opt in
	p) print=1 ;;
	k) functions=1 ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
text=${1:-}

squeeze() { sed -E 's/[[:blank:]]+/ /g; s/ $//; /^ ?$/d'; }
shape() {
	sed -E -e 's/^ *-?[0-9]+ \|[@ ]*[0-9]+ *$/ROW/' -e 's/^ +([^ `]+`[^ ]+|0x[0-9a-f]+)$/FRAME/' -e 's/[^ `]+`[^ ]+/SYMBOL/' \
		-e 's/0x[0-9a-f]+|-?[0-9]+/N/g' | squeeze | sort -u
}

fail() { # COMMAND WHY FILE
	printf 'FAIL section %s: %s\n     %s\n' "$section" "$1" "$2"
	head -n 40 "$3" | sed 's/^/     /'
	status=1
}

run() { # COMMAND EXPECTED
	local code=0 line more=0
	if [[ $print == 1 ]]; then
		[[ $1 == *"$text"* ]] || return
		printf '== %s\n# %s\n' "$section" "$1"
		bash -c "$1" 2>&1 </dev/null
		return
	fi
	ran=$((ran + 1))
	timeout $((60 * ${TIMEOUT_SCALE:-1})) bash -c "$1" >got 2>&1 </dev/null || code=$?
	[[ $code == 0 ]] || fail "$1" "status $code" got
	[[ $1 != *'$target'* ]] && more=1
	grep -qx '\.\.\.' <<<"$2" && more=1
	grep -Ev -- "^\.\.\.$|$varies" <<<"$2" | shape >want.shape
	shape <got >got.shape
	comm -23 want.shape got.shape >lacking
	[[ ! -s lacking ]] || { fail "$1" "these lines are not there:" lacking; head -n 40 got; }
	comm -13 want.shape got.shape >others
	[[ $more == 0 ]] || sed -i '/^dtrace: /!d' others
	sed -Ei "\\~$varies~d" others
	[[ ! -s others ]] || fail "$1" "these lines are not in the page:" others
	for line in "${shows[@]}"; do
		squeeze <got | grep -Eqx -- " ?$line" || fail "$1" "there is no line $line" got
	done
}

skip() { # WHY
	why="section $section: $1"
	[[ $print == 1 ]] || echo "left out: $why"
}

block="" command="" output="" shows=() varies='^$' why="" which=0
finish() {
	[[ $block == console && -n $command ]] || return
	if [[ -n $why ]]; then
		left=$((left + 1))
	elif [[ $which == "$functions" ]]; then
		run "$command" "$output"
	fi
	command="" output=""
}
while IFS= read -r line; do
	if [[ -z $block ]]; then
		case $line in
		'```sh' | '```d' | '```c' | '```python' | '```sql' | '```console') block=${line#???} file="" ;;
		'```'*) block=other ;;
		'## '*)
			section=${line#\#\# }
			[[ $section == [0-9]* ]] && number=$((number + 1)) && [[ $section != "$number."* ]] &&
				echo "$section is not section $number" && status=1
			;;
		'<!-- shows: '*) line=${line#*: }; shows+=("${line% -->}") ;;
		'<!-- varies: '*) line=${line#*: } varies=${line% -->} ;;
		'<!-- slow -->') [[ -z ${DTRACE_VM:-} ]] || skip "an interpreting guest takes too long" ;;
		'<!-- needs: kprobe -->') which=1 ;;
		'<!-- needs: '*)
			line=${line#*: } line=${line% -->}
			command -v "$line" >/dev/null || "$BUILD/tests/runner/has" "$line" >/dev/null || skip "it needs $line"
			;;
		'<!-- can: '*)
			line=${line#*: } line=${line% -->}
			[[ $functions == 1 ]] || bash -c "$line" >can 2>&1 </dev/null
			[[ $? != 77 ]] || skip "$(tail -n 1 can)"
			;;
		esac
	elif [[ $line == '```' ]]; then
		finish
		[[ $block != console ]] || shows=() varies='^$' why="" which=0
		block=""
	elif [[ $block == console ]]; then
		case $line in
		'# '*) finish; command=${line#??} ;;
		'> '*) command+=$'\n'${line#??} ;;
		*) output+=$line$'\n' ;;
		esac
	elif [[ $block != other ]]; then
		if [[ -z $file ]]; then
			[[ $line =~ ^(/\*|#|--)\ ([a-z]+\.(d|sh|c|py|sql))( \*/)?$ ]] || { echo "a file without a name: $line"; exit 1; }
			file=${BASH_REMATCH[2]}
			: >"$file"
		fi
		printf '%s\n' "$line" >>"$file"
	fi
done <"$page"
[[ $print == 1 ]] && exit
[[ $number == "${QUESTIONS:-12}" ]] || { echo "$number questions"; exit 1; }
[[ $ran -ge $((functions ? 1 : ${QUESTIONS:-12})) ]] || { echo "only $ran were run"; exit 1; }
echo "$ran run, $left left out"
exit $status
