# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What tests of providers share. A trigger says what it does, the facts; a D program says what it saw, the events; both
# a line for each, with the same words, so that comparing them is comparing lines.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

triggers=$BUILD/tests/live/triggers
bad=0
complain() { echo "$*"; bad=1; }

# In a stock kernel's guest: load a module of the kernel's package.
module() {
	local file
	[[ -n ${DTRACE_VM:-} && ! -d /sys/module/$1 ]] || return 0
	file=$(find "$BUILD"/vm/*/{usr/,}lib/modules/"$(uname -r)" -name "$1.ko*" -print -quit 2>/dev/null)
	case $file in
	*.xz) xz -dc "$file" >"/run/$1.ko" ;;
	*.zst) zstd -dcq "$file" >"/run/$1.ko" ;;
	*.ko) cp "$file" "/run/$1.ko" ;;
	*) return ;;
	esac
	busybox insmod "/run/$1.ko"
}

# Leave this test out when the trigger can't do its work here: "can blockio w 0 512".
can() {
	local name=$1
	shift
	[[ $name != blockio ]] || module loop
	"$triggers/$name" "$@" >can.txt 2>&1
	[[ $? != 77 ]] || { echo "$(tail -n 1 can.txt)"; exit 77; }
}

# Run a trigger under the D program on stdin: facts.txt and events.txt. What is in OPTIONS goes to dtrace, and what is in
# WITHIN stands before it, as in WITHIN="unshare -n".
observe() {
	local name=$1
	shift
	rm -f events.txt
	cat >program.d
	# shellcheck disable=SC2086
	${WITHIN:-} "$DTRACE" -q ${OPTIONS:-} -o events.txt -c "$triggers/$name $*" -s program.d >facts.txt 2>err.txt ||
		complain "$name $*: status $?: $(<err.txt)"
	# an interrupt that hit a running program: the machine's doing.  A firing of the trigger's that was lost is one too
	# few in events.txt
	sed -Ei '/^dtrace: [0-9]+ missed firings?( |$)/d' err.txt
	# somebody else's: the packets of the trigger are compared
	sed -Ei '/^dtrace: [0-9]+ network namespaces? came before their probes/d' err.txt
	[[ ! -s err.txt ]] || complain "$name $*: $(<err.txt)"
}

# Run "CASE ARGS", a function that complains, up to three times: only what the last one complained of counts.  For a D
# program with the pid in its predicate that is to see what packets set off: that is done on the way out of the program
# that sent them, but by ksoftirqd, where no pid matches, when the machine is busy.
thrice() {
	local before=$bad
	for _ in 1 2 3; do
		bad=0
		"$@" >complaints.txt
		[[ $bad != 0 ]] || break
	done
	[[ $bad == 0 ]] && bad=$before || cat complaints.txt
}

# The lines that begin with one of WORDS are the same in facts and events, N of them (0: whatever number, but some).
same() {
	local n=$1 pattern
	shift
	pattern="^($(IFS='|'; echo "$*"))( |$)"
	grep -E "$pattern" facts.txt | sort >facts
	grep -E "$pattern" events.txt | sort >events
	if ! diff facts events >differences; then
		complain "$*: facts <, events >"
		head -n 40 differences
	fi
	[[ $n == 0 ]] && n=$(($(wc -l <facts) ? $(wc -l <facts) : -1))
	[[ $(wc -l <facts) == "$n" ]] || complain "$*: $(wc -l <facts) facts, not $n"
}

# The value after WORD in the line of a file that begins with START: "field facts.txt 'ping ' voluntary".
field() {
	awk -v start="$2" -v word="$3" 'index($0, start) == 1 {
		for (i = 1; i < NF; i++)
			if ($i == word) { print $(i + 1); exit }
	}' "$1"
}

# Whether a probe exists here: "listed sched:::tick".
listed() {
	"$DTRACE" -l -n "$1" >listed.txt 2>&1
	grep -q "^ *[0-9]* *${1%%:*} " listed.txt
}
