#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 400
# The examples of docs/tools.md are what the tools print: each command prints lines of the form that the page has. The header is
# the same, and each other line is one that the command prints now, but for its numbers, names and bars.
# tools.sh -u writes the page's examples anew, as root; tools.sh -u NAME... those of some tools.
#
# An example is
#
#	<!-- example: OPTIONS
#	setup: COMMAND
#	lines: N+M -->
#	While `TRIGGER` runs:
#
# and a block. @ in OPTIONS is the pid of the shell that runs TRIGGER, and of the trigger if that is one command. Of the output
# the first N lines are kept and the last M, with a line ... in place of others; all, without "lines". COMMAND runs before, in
# the same folder; $TRIGGERS is the folder of the programs that tests trace.
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
: "${SRCDIR:=$(realpath "${0%/*}/../..")}"
: "${BUILD:=$SRCDIR/build}"
: "${DTRACE:=$BUILD/dtrace}"
page=$SRCDIR/docs/tools.md
export SRCDIR TRIGGERS=$BUILD/tests/live/triggers LC_ALL=C

# ---- running an example

# Runs a command in a control group that has 40 MB of memory.
in_little_memory() {
	local top group=
	for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		mkdir "$top/example" 2>/dev/null || continue
		group=$top/example
		for limit in memory.limit_in_bytes memory.max; do
			[[ -e $group/$limit ]] && echo 40M >"$group/$limit" 2>/dev/null && break 2
		done
		rmdir "$group"
		group=
	done
	[[ -n $group ]] || return
	for limit in memory.memsw.limit_in_bytes:40M memory.swap.max:0; do
		[[ ! -e $group/${limit%:*} ]] || echo "${limit#*:}" >"$group/${limit%:*}" 2>/dev/null
	done
	(echo $BASHPID >"$group/cgroup.procs"; exec "$@") 2>/dev/null
	for _ in {1..50}; do rmdir "$group" 2>/dev/null && break; sleep .1; done
}
export -f in_little_memory

# Runs example I in the current folder: out.txt is what the tool prints, $shown the command with the pid. FOREVER: the tool does
# not end by itself, but once the trigger has ended and its output is there.
run_example() { # I FOREVER
	local name=${names[$1]} options=${options[$1]} trigger=${triggers[$1]} waiting=0 tool i rows words
	[[ -z ${setups[$1]} ]] || bash -c "${setups[$1]}" >/dev/null 2>&1
	rm -f go out.txt err.txt
	if [[ -n $trigger ]]; then
		mkfifo go
		# a shell that becomes its only command
		bash -c 'read -r _ <go; exec bash -c "$0"' "$trigger" >/dev/null 2>&1 &
		waiting=$!
		options=${options//@/$waiting}
	fi
	shown="dtrace --tool $name $options"
	eval "words=($options)"
	# of an option that is given twice the last one holds
	if [[ $2 == 1 && -n $trigger ]]; then
		words+=("$(sed -nE 's/^#pragma tool param (.*) int "end after .*/-\1/p' "$SRCDIR/tools/$name.d")" 1000)
	fi
	timeout -s INT 60 "$DTRACE" --tool "$name" "${words[@]}" >out.txt 2>err.txt </dev/null &
	tool=$!
	if [[ -n $trigger ]]; then
		for ((i = 0; i < 150; i++)); do # tools print a header; profile does not
			[[ ! -s out.txt && -e /proc/$tool/exe && ($name != profile || $i -lt 15) ]] || break
			sleep .1
		done
		rows=$(wc -l <out.txt)
		echo >go
		wait "$waiting" 2>/dev/null
		if [[ $2 == 1 ]]; then
			# those that print at times have a row or two then
			if grep -q 'prints++' "$SRCDIR/tools/$name.d" || [[ $name == pidpersec ]]; then
				for ((i = 0; i < 300; i++)); do
					[[ $(wc -l <out.txt) -lt $((rows + 2)) ]] || break
					sleep .1
				done
			fi
			sleep .5
			kill -INT "$tool" 2>/dev/null
		fi
	fi
	wait "$tool" 2>/dev/null
}

# ---- the page

names=() options=() setups=() lines=() triggers=() blocks=()
read_page() {
	local line name='' n=-1 example=0 inside=0
	while IFS= read -r line; do
		case $line in
		'## '*) name=${line#\#\# } ;;
		'<!-- example: '*)
			n=$((n + 1)) example=1
			names[n]=$name options[n]=${line#<!-- example: } setups[n]='' lines[n]='' triggers[n]='' blocks[n]=''
			options[n]=${options[n]% -->}
			;;
		'setup: '*) setups[n]=${line#setup: } setups[n]=${setups[n]% -->} ;;
		'lines: '*) lines[n]=${line#lines: } lines[n]=${lines[n]% -->} ;;
		'While `'*'` runs:') triggers[n]=${line#While \`} triggers[n]=${triggers[n]%\` runs:} ;;
		'```console') inside=$example example=0 ;;
		'```') inside=0 ;;
		*) [[ $inside == 0 ]] || blocks[n]+=$line$'\n' ;;
		esac
	done <"$page"
	[[ $n -gt 30 ]] || { echo "$page has no examples"; exit 1; }
}

can_run() { # I
	! "$DTRACE" --tool "${names[$1]}" -h 2>&1 | grep -q '^This machine cannot run it'
}

# The output on stdin, cut as the example says.
cut_output() { # LINES
	awk -v first="${1%+*}" -v last="$([[ $1 == *+* ]] && echo "${1#*+}")" '
		{ line[NR] = $0; sub(/ +$/, "", line[NR]); if (NF) n = NR }
		END {
			for (from = 1; from <= n && line[from] == ""; from++)
				;
			all = n - from + 1
			for (i = 1; i <= all; i++)
				if (first == "" || all <= first + last + 1 || i <= first || i > all - last)
					print line[from + i - 1]
				else if (i == first + 1)
					print "..."
		}'
}

update() { # [NAME...]
	local i line n=-1 example=0 inside=0 folder=/var/tmp/example new=()
	mkdir "$folder" || exit 1
	# shellcheck disable=SC2064
	trap "rm -rf '$folder' '$page.tmp'" EXIT
	cd "$folder" || exit 1
	for i in "${!names[@]}"; do
		new[i]=${blocks[i]}
		[[ $# == 0 || " $* " == *" ${names[i]} "* ]] || continue
		can_run "$i" || { echo "${names[i]}: this machine cannot run it"; continue; }
		rm -rf "${folder:?}"/*
		run_example "$i" 0
		[[ ! -s err.txt ]] || { echo "${names[i]}:"; head -3 err.txt; }
		new[i]="# $shown"$'\n'$(cut_output "${lines[i]}" <out.txt)$'\n'
	done
	while IFS= read -r line; do
		case $line in
		'<!-- example: '*) n=$((n + 1)) example=1 ;;
		'```console')
			[[ $example == 0 ]] || { inside=1; printf '%s\n%s' "$line" "${new[n]}"; continue; }
			;;
		'```') [[ $inside == 0 ]] || example=0 inside=0 ;;
		esac
		[[ $inside == 1 ]] || printf '%s\n' "$line"
	done <"$page" >"$page.tmp"
	mv "$page.tmp" "$page"
}

# Lines without what differs from run to run: dates, numbers, names and bars; a stack has whatever frames.
form() {
	sed -E 's/ +$//; /^$/d; s/^20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}/DATE/
		s/^ +[^ ]*`.*/FRAME/; s/^[A-Za-z_0-9.-]+`[A-Za-z_][^ ]*$/FRAME/; s/\|@* +(-?[0-9]+)$/BAR/
		/---- Distribution/b; /^DATE$/b
		s/[^][ =,()|]+/W/g; s/ +/ /g; s/^ //; s/[(].*= /(W) = /' | awk '$0 != "FRAME" || last != "FRAME"; { last = $0 }'
}
# The lines that come before a row: a title, and the names of columns.
header() { grep -v '^20[0-9][0-9] \|^$' | sed -nE '/Ends with \^C|^ *[A-Z]+[A-Za-z\/% ]* [A-Z][A-Z\/% a-z]*$|return$|^Count/p' | head -2; }

# Compares output out.txt with the page's of example I.
compare() { # I
	local have=${blocks[$1]#*$'\n'} missing
	[[ $(header <<<"$have") == "$(header <out.txt)" ]] ||
		printf '%s: the header is\n%s\nand in the page\n%s\n' "${names[$1]}" "$(header <out.txt)" "$(header <<<"$have")"
	missing=$(comm -23 <(grep -vxF ... <<<"$have" | form | sort -u) <(form <out.txt | sort -u))
	[[ -z $missing ]] || printf '%s: the page has lines of another form:\n%s\n%s\n' "${names[$1]}" "$missing" "$(head -20 out.txt)"
}

read_page
if [[ ${1:-} == -u ]]; then
	shift
	update "$@"
	exit
fi

# Everything in one example, whose output is complaints. A machine that is busy with other things gets a second chance.
check() { # I
	mkdir "$1" && cd "$1" || exit
	can_run "$1" || exit
	for _ in 1 2; do
		rm -rf ./*
		run_example "$1" 1
		sed -Ei '/^dtrace: [0-9]+ missed firings?( |$)/d' err.txt
		if [[ -s err.txt ]]; then
			echo "${names[$1]}: $(head -3 err.txt)" >said.txt
		else
			compare "$1" >said.txt
		fi
		[[ -s said.txt ]] || break
	done
	cat said.txt
}
for i in "${!names[@]}"; do
	check "$i" >"complaints.$i" 2>&1 &
	(((i + 1) % 4)) || wait
done
wait
cat complaints.*
[[ -z $(cat complaints.*) ]]
