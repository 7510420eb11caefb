#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The commands in the README's section on pictures: the flame graph shows what the program does, the script for PostgreSQL compiles, and the
# pictures that it shows exist.
# @vm no: the text of documents
# @needs python3
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

fail=0
complain() { echo "$*"; fail=1; }

section=$(sed -n '/^## Pictures/,/^## Results/p' "$SRCDIR/README.md")
command=$(sed -n '/# build\/dtrace --output=flamegraph/,/busy.py 10/p' <<<"$section" | sed 's/^ *\(# build\/dtrace \)\{0,1\}//; s/\\$//' | tr '\n' ' ')
[[ $command == "--output=flamegraph:busy.html "*"examples/busy.py 10' " ]] || complain "no command: $command"
command=${command/examples\/busy.py 10/$SRCDIR/examples\/busy.py 3}
eval "'$DTRACE' --output=text:text.txt $command" 2>err.txt || complain "status $?: $(<err.txt)"
for name in python deflate json sha256; do
	grep -q "$name" busy.html || complain "the picture does not show $name"
done

"$DTRACE" -eZqs "$SRCDIR/examples/commits.d" || complain "commits.d: status $?"
grep -oE '\(docs/[^)]*\)' <<<"$section" | tr -d '()' | while read -r file; do
	[[ -s $SRCDIR/$file ]] || echo "no $file"
done | grep . && fail=1
exit $fail
