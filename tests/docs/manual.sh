#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the manual pages: the D programs of d(7) and dtrace-providers(7) compile, the commands of dtrace(8) run,
# for a second at most, and the program of libdtrace(3) can be built and traces. A block with "..." shows a form.
# @timeout 120
set -u
export PATH=${DTRACE%/*}:$PATH LC_ALL=C
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
status=0 ran=0
fail() { echo "$1: $(<out)"; status=1; }

# The literal blocks of PAGE, from section SECTION on, separated by NUL.
blocks() { # PAGE [SECTION]
	awk -v section="${2:-}" '
		/^\.Sh / { here = section == "" || $0 == ".Sh " section }
		/^\.Bd -literal/ && here { on = 1; text = ""; next }
		/^\.Ed/ && on { on = 0; printf "%s%c", text, 0 }
		on { gsub(/\\e/, "\\"); gsub(/\\-/, "-"); gsub(/\\&/, ""); text = text $0 "\n" }' "$1"
}

for page in d.7 dtrace-providers.7; do
	while IFS= read -r -d '' text; do
		[[ $text != *...* ]] || continue
		ran=$((ran + 1))
		printf '%s\nBEGIN { exit(0); }\n' "$text" >block.d
		dtrace -c true -ews block.d >out 2>&1 </dev/null || fail "$page: $text"
	done < <(blocks "$SRCDIR/docs/$page")
done
while IFS= read -r -d '' text; do
	# several commands, each of which begins at the margin
	while IFS= read -r -d '' command; do
		ran=$((ran + 1))
		command=${command//sh workload/true} command=${command//tick-[0-9]s/tick-100ms}
		code=0
		timeout -s INT -k 5 2 bash -c "exec $command" >out 2>&1 </dev/null || code=$?
		[[ $code == 0 || $code == 124 ]] || fail "$command"
	done < <(awk '/^dtrace/ && NR > 1 { printf "%c", 0 } { print } END { printf "%c", 0 }' <<<"$text")
done < <(blocks "$SRCDIR/docs/dtrace.8" EXAMPLES)
[[ $ran -ge 12 ]] || { echo "only $ran examples"; status=1; }

blocks "$BUILD/libdtrace.3" EXAMPLES | tr -d '\0' >page.c
san=
[[ $BUILD != *-san ]] || san=-fsanitize=address,undefined
cc $san -Wall -Werror -I"$SRCDIR/include" -o page page.c -L"$BUILD" -ldtrace || exit 1
LD_LIBRARY_PATH=$BUILD ./page true >out 2>&1 && grep -q '^exit_group 1$' out || fail "the program of libdtrace.3"
exit $status
