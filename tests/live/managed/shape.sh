# SPDX-License-Identifier: Apache-2.0
# Samples of a running program, and whether its functions are in them.
#   skip_refused FILE		skips the test if FILE, what dtrace said, is that jstack() does not know the program's runtime
#   sample PID N FILE [D]	takes N samples with jstack() of process PID, in folded lines, to FILE; D is the predicate's rest
#   shape FILE LIST		prints "GOOD ALL": samples whose frames have the words of LIST in this order, innermost first
#   in_order NAME LIST COMMAND...	runs COMMAND, which does not end; fails unless 95 of 100 samples have LIST's frames

# It is a failure if it says that it knows the version, or needs a symbol that the file has.
skip_refused() {
	local why file
	why=$(grep -Eo -m1 'jstack\(\) (does not know its (Java|V8) [0-9.]+; it knows .*|needs the symbol [^ ,]+, which its V8 .*)' "$1") ||
		return 0
	if [[ $why =~ its\ [A-Z][A-Za-z0-9]*\ ([0-9.]+)\;\ (.*) ]]; then
		[[ " ${BASH_REMATCH[2]//,/ } " != *" ${BASH_REMATCH[1]} "* ]] || return 0
	elif [[ $why =~ symbol\ ([^ ,]+) ]]; then
		file=$(type -P node)
		file=$(ldd "$file" | sed -n 's/.*libnode.* => \([^ ]*\) .*/\1/p;')
		! readelf -sW "${file:-$(type -P node)}" | grep -q " ${BASH_REMATCH[1]}\$" || return 0
	fi
	echo "$why"
	exit 77
}

# N samples take as long as the machine needs for them
sample() {
	rm -f "$3"
	"$DTRACE" -q -p "$1" --output="folded:$3" -n '
		profile-997 /pid == $target '"${4-}"' && n < '"$2"'/ { @[jstack()] = count(); n++; }
		profile-97 /n >= '"$2"'/ { exit(0); }' 2>"$3.err" && skip_refused "$3.err" && return 0
	echo "dtrace failed:"
	cat "$3.err"
	exit 1
}

shape() {
	awk -v list="$2" '
		BEGIN { n = split(list, want, " ") }
		{
			count = $NF
			sub(/ [0-9]+$/, "")
			frames = split($0, f, ";")
			all += count
			next_one = 1
			for (i = frames; i > 0 && next_one <= n; i--)
				if (f[i] ~ want[next_one])
					next_one++
			if (next_one > n)
				good += count
		}
		END { print good + 0, all + 0 }' "$1"
}

# another round while the program starts
in_order() {
	local name=$1 list=$2 good all
	shift 2
	"$@" >said 2>&1 &
	program=$!
	trap 'kill -9 $program' EXIT
	for round in 1 2 3; do
		sample "$program" 500 folded
		read -r good all < <(shape folded "$list")
		((all >= 500 && good * 100 >= all * 95)) && break
	done
	kill -9 "$program"
	wait "$program" 2>/dev/null
	trap - EXIT
	echo "$name: all names in $good of $all samples"
	((all >= 500 && good * 100 >= all * 95)) && return
	head -3 said folded.err
	sort -rn -k2 folded | cut -c1-500 | head -5
	exit 1
}
