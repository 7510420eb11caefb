# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of drops share.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

# Run dtrace on the trigger program and arguments $1 with the rest as options.
run() { # TRIGGER OPTION...
	local trigger=$1
	shift
	"$DTRACE" -q "$@" -c "$BUILD/tests/live/triggers/$trigger" >out.txt 2>err.txt ||
		complain "status $?: $(<err.txt)"
}

# Only messages that match the expression; the sum of their numbers is $dropped.
drops() { # EXPRESSION, the number being its first group
	local other
	other=$(grep -vE "^dtrace: $1\$|^dtrace: [0-9]+ [a-z ]+ in all: " err.txt)
	[[ -z $other ]] || complain "on stderr: $other"
	dropped=$(sed -nE "s/^dtrace: $1\$/\\1/p" err.txt | awk '{ n += $1 } END { print n + 0 }')
	# the sums at the end, which there are when several messages came, are theirs
	other=$(sed -nE 's/^dtrace: ([0-9]+) [a-z ]+ in all: .*/\1/p' err.txt | awk '{ n += $1 } END { print n }')
	[[ -z $other || $other == "$dropped" ]] || complain "in all $other, but the messages say $dropped"
	# one is not many
	! grep -qE '(^| )1 (aggregation |dynamic variable )?(drops|errors)' err.txt || complain "$(<err.txt)"
}

expect() { # WHAT GOT EXPECTED
	[[ $2 == "$3" ]] || complain "$1: $2, expected $3"
}
