#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions of musl, which has no call frame information: each call has an entry and a return, also where the function is one jump.
# @needs musl-gcc
# @vm no: the compiler takes long there
set -u
. "${0%/*}/lib.sh"
cat >calls.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void)
{
	for (int i = 0; i < 50; i++) {
		char *p = malloc(100 + i);

		strcpy(p, "hello");
		free(p);
	}
	return 0;
}
END
musl-gcc -O2 -fno-builtin -static -o calls calls.c || { echo "musl-gcc cannot link a static program"; exit 77; }
list=() wanted=()
for f in malloc strcpy free; do
	list+=("pid\$target:a.out:$f:entry,pid\$target:a.out:$f:return")
	wanted+=("$f entry 50" "$f return 50")
done
try "$DTRACE" -qn "$(IFS=, && echo "${list[*]}")"' { @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }' -c ./calls
expect_status 0
expect_err ""
expect_text counts "$(grep . out.txt | sort)" "$(printf '%s\n' "${wanted[@]}" | sort)"
# all of it ends as ever
try "$DTRACE" -qn 'pid$target:a.out::entry, pid$target:a.out::return { @[probename] = count(); }' -c ./calls
expect_status 0
finish
