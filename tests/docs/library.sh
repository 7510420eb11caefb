#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the programs of docs/library.md, and checks that the page lists every function of <dtrace.h>.
# @timeout 120
page=$SRCDIR/docs/library.md

declared=$(grep -hA2 '^DTRACE_API' "$SRCDIR/include/dtrace.h" | grep -oE '\bdtrace_[a-z0-9_]+\(' | tr -d '(' | sort -u)
listed=$(grep -E '^\| [a-z]+ \| `dtrace_[^|]*\|$' "$page" | grep -oE '`dtrace_[a-z0-9_]+`' | tr -d '`' | sort)
diff <(echo "$declared") <(echo "$listed") || { echo "< in the header, > in the page"; exit 1; }

san=; [[ $BUILD == *-san ]] && san=-fsanitize=address,undefined
awk -v dir="$TMPDIR" '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > (dir "/page" n ".c") }' "$page"
for i in 1 2; do
	cc $san -Wall -Werror -I"$SRCDIR/include" -o "$TMPDIR/page$i" "$TMPDIR/page$i.c" -L"$BUILD" -ldtrace || exit 1
done
[[ ! -e $TMPDIR/page3.c ]] || { echo "there is another program in the page"; exit 1; }
[[ $(id -u) == 0 ]] || { echo "skip: tracing needs root"; exit 77; }
export LD_LIBRARY_PATH=$BUILD
got=$(for i in 1 2; do "$TMPDIR/page$i" "$BUILD/tests/live/triggers/calls" getppid 7; done)
[[ $got == $'getppid 7\nbegin\ngetppid 7' ]] || { echo "they print $got"; exit 1; }
