#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# depends_on: an absent provider or module skips a library; an absent or circular library, and anything absent in a
# program, is an error.
# @vm no: the compiler alone
# @ref d-language 18 depends-on depends-on-absent depends-on-library
# @ref cli 7 depends-reorders unmet-skipped unmet-library-skipped program-requires
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

mkdir libs
printf '#pragma D depends_on provider nosuch\ninline int FIRST = 1;\n' >libs/a.d
printf '#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\ninline int SECOND = 2;\n' >libs/b.d
printf '#pragma D depends_on library z.d\ninline int THIRD = LAST + 1;\n' >libs/c.d
printf 'inline int LAST = 40;\n' >libs/z.d
printf '#pragma D depends_on module nosuch\ninline int FOURTH = 1;\n' >libs/d.d
printf '#pragma D depends_on library procfs.d\ninline string NAME = curpsinfo->pr_fname;\n' >libs/e.d

try "$DTRACE" -L libs -qn 'BEGIN { printf("%d %d %s", SECOND, THIRD, NAME); exit(0); }'
expect_status 0
expect_err ""
expect_out $'2 41 dtrace\n'
for skipped in FIRST FOURTH; do
	try "$DTRACE" -L libs -x errtags -qn "BEGIN { trace($skipped); exit(0); }"
	expect_status 1
	expect_match stderr "$err" '\[D_IDENT_UNDEF\]'
done

printf '#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\nBEGIN\n{\n\ttrace(1);\n\texit(0);\n}\n' >p.d
try "$DTRACE" -qs p.d
expect_status 0
expect_out $'1\n'
for line in 'provider nosuch' 'module nosuch' 'library z.d'; do
	printf '#pragma D depends_on %s\nBEGIN\n{\n\texit(0);\n}\n' "$line" >p.d
	try "$DTRACE" -L libs -x errtags -qs p.d
	expect_status 1
	expect_match stderr "$err" '\[D_PRAGMA_DEPEND\] line 1: '
done

# libraries that are not there, or that depend on themselves, end the first program, whether it uses them or not
refused() { # LIBRARY LINE MESSAGE
	try "$DTRACE" -L bad -x errtags -qn 'BEGIN { exit(0); }' -n 'END'
	expect_status 1
	expect_err "dtrace: invalid probe specifier BEGIN { exit(0); }: [D_PRAGMA_DEPEND] \"bad/$1\", line $2: $3"$'\n'
	rm bad/*
}
mkdir bad
printf '#pragma D depends_on module vmlinux\n#pragma D depends_on library nosuch.d\n' >bad/a.d
refused a.d 2 'program requires library nosuch.d'
printf '#pragma D depends_on library ../libs/z.d\n' >bad/a.d
try "$DTRACE" -L bad -qn 'BEGIN { trace(LAST); exit(0); }'
expect_out $'40\n'
printf '#pragma D depends_on library a.d\n' >bad/a.d
refused a.d 1 'circular dependency of libraries: bad/a.d, bad/a.d'
printf '#pragma D depends_on library c.d\ninline int A = 1;\n' >bad/a.d
printf '#pragma D depends_on library a.d\ninline int B = 1;\n' >bad/b.d
printf 'inline int C = 1;\n#pragma D depends_on library d.d\n' >bad/c.d
printf '#pragma D depends_on library b.d\n' >bad/d.d
refused b.d 1 'circular dependency of libraries: bad/a.d, bad/c.d, bad/d.d, bad/b.d, bad/a.d'
# two ways to one library are no circle
printf '#pragma D depends_on library c.d\n#pragma D depends_on library b.d\ninline int A = B + C;\n' >bad/a.d
printf '#pragma D depends_on library c.d\ninline int B = C;\n' >bad/b.d
printf 'inline int C = 1;\n' >bad/c.d
try "$DTRACE" -L bad -qn 'BEGIN { trace(A); exit(0); }'
expect_out $'2\n'

finish
