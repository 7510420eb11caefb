# SPDX-License-Identifier: Apache-2.0
# whole WHERE COMMAND: sample COMMAND; of the stacks at least 95 in 100 must reach the start of the program, and some
# have a frame that matches WHERE.  Sourced by tests.
whole() {
	local where=$1 out=$TMPDIR/stacks
	shift
	"$DTRACE" -qn 'profile-997 /pid == $target/ { @[ustack(127)] = count(); }' -c "$*" >"$out" || return 1
	awk -v where="$where" '
	NF == 1 && $1 ~ /^[0-9]+$/ { # the count, behind the frames
		all += $1
		if (whole) good += $1
		if (there) met += $1
		if (!whole && $1 > worst) { worst = $1; text = stack }
		whole = there = frames = 0; stack = ""
		next
	}
	NF { frames++; stack = stack $0 "\n" }
	/_start(\+|$)|__libc_start_/ || frames == 127 { whole = 1 }
	$0 ~ where { there = 1 }
	END {
		printf "%d samples, %d whole, %d in %s\n", all, good, met, where
		if (text) print "the commonest of the others:\n" text
		exit !(all >= 100 && good >= 0.95 * all && met > 0)
	}' "$out"
}
