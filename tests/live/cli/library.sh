#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# D libraries: the system's, -L, nolibs; an error in one is fatal.
# @vm no: the command line, the kernel has no part in it
# @ref d-language 18.1 libraries library-clause nolibs
# @ref d-errors 1.1 library
# @ref cli 2 L; cli 1.1 accumulate
# @ref cli 3.3 library-file
# @ref cli 7 system-directory-first directories-in-order error-fatal unreadable-skipped nolibs
# @ref cli 7 names-in-order kernel-versions depends-reorders unmet-skipped unmet-library-skipped debug
# @ref options 4 debug
# @ref options 4 libdir syslibdir nolibs
set -u
. "${0%/*}/lib.sh"

mkdir sys one two bad
echo 'inline int FORTY = 40;' >sys/a.d
echo 'inline int FIFTY = FORTY + 10;' >one/b.d
echo 'inline int SIXTY = FIFTY + 10;' >two/a.d
echo 'not a library' >two/README

# the system's own
try "$DTRACE" -qn 'BEGIN { printf("%d %d", ENOENT, SIGKILL); exit(0); }'
expect_status 0
expect_out $'2 9\n'

# one directory after the other; wherever the flags stand
try "$DTRACE" -x syslibdir=sys -L one -qn 'BEGIN { printf("%d %d", FORTY, SIXTY); exit(0); }' -L two
expect_status 0
expect_out $'40 60\n'
try "$DTRACE" -x syslibdir=sys -x libdir=one -qn 'BEGIN { trace(FIFTY); exit(0); }'
expect_out $'50\n'

# what is not there is passed over
try "$DTRACE" -L ./nosuch -qn 'BEGIN { trace(ENOENT); exit(0); }'
expect_status 0
expect_out $'2\n'

unknown() { # NAME ARGUMENTS...
	local name=$1
	shift
	try "$DTRACE" "$@" -n "BEGIN { trace($name); }"
	expect_status 1
	expect_err "dtrace: invalid probe specifier BEGIN { trace($name); }: in action list: failed to resolve $name: Unknown variable name"$'\n'
}
unknown FORTY
unknown ENOENT -x nolibs
unknown FORTY -x nolibs -L sys
unknown ENOENT -x syslibdir=sys

# the system's folder is missing: a message names it before the error
try "$DTRACE" -x syslibdir=/no/such -n 'BEGIN { trace(curpsinfo->pr_psargs); }'
expect_status 1
expect_err "dtrace: cannot read the D libraries in /no/such: No such file or directory
dtrace: invalid probe specifier BEGIN { trace(curpsinfo->pr_psargs); }: in action list: failed to resolve curpsinfo: Unknown variable name
"
# a program that needs no library does not look for it
try "$DTRACE" -x syslibdir=/no/such -qn 'BEGIN { trace(pid != 0); exit(0); }'
expect_status 0
expect_err ""

# the library is named, not the program
printf 'inline int ONE = 1;\ninline int TWO = ;\n' >bad/c.d
try "$DTRACE" -L bad -n 'BEGIN { trace(ONE); }'
expect_status 1
expect_match stderr "$err" '^dtrace: invalid probe specifier [^'$'\n'']*: "bad/c\.d", line 2: syntax error'

# at the start, also for a program that does not use it, and with nolibs nobody looks
try "$DTRACE" -L bad -x errtags -n 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" '^dtrace: invalid probe specifier [^'$'\n'']*: \[D_SYNTAX\] "bad/c\.d", line 2: syntax error'
echo 'inline int ONE = nosuch + 1;' >bad/c.d
try "$DTRACE" -x libdir=bad -x errtags -en 'BEGIN'
expect_status 1
expect_err 'dtrace: invalid probe specifier BEGIN: [D_IDENT_UNDEF] "bad/c.d", line 1: failed to resolve nosuch: Unknown variable name'$'\n'
echo 'BEGIN { exit(0); }' >bad/c.d
try "$DTRACE" -L bad -en 'BEGIN'
expect_status 1
expect_match stderr "$err" '"bad/c.d", line 1: probe clauses may not be in a D library'
try "$DTRACE" -L bad -x nolibs -qn 'BEGIN { exit(0); }'
expect_status 0
expect_err ""
rm bad/c.d

# their option pragmas hold for all programs; a wrong one is an error
mkdir options
printf '#pragma D option quiet\n#pragma D option zdefs\n#pragma D option strsize=5\n#pragma D option bufsize=2m\n' >options/a.d
try "$DTRACE" -L options -n 'nosuch:::fire' -n 'nosuch:::other { trace(1); } BEGIN { trace("abcdefgh"); exit(0); }'
expect_status 0
expect_err ""
expect_out $'abcde\n'
echo '#pragma D option nosuch' >options/b.d
try "$DTRACE" -L options -x errtags -n 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" '\[D_PRAGMA_OPTSET\] "options/b.d", line 1: '
rm -r options

# one after the other by name; what another depends on comes before
mkdir order
echo 'inline int LAST = MIDDLE + 1;' >order/c.d
echo 'inline int MIDDLE = FIRST + 1;' >order/b.d
echo 'inline int FIRST = 1;' >order/a.d
try "$DTRACE" -L order -qn 'BEGIN { trace(LAST); exit(0); }'
expect_status 0
expect_out $'3\n'
mv order/a.d order/d.d
try "$DTRACE" -L order -qn 'BEGIN { trace(LAST); exit(0); }'
expect_status 1
expect_match stderr "$err" '"order/b\.d", line 1: failed to resolve FIRST'
sed -i '1i #pragma D depends_on library d.d' order/b.d
try "$DTRACE" -L order -qn 'BEGIN { trace(LAST); exit(0); }'
expect_status 0
expect_out $'3\n'

# the folder of the newest kernel that is no newer than ours goes first; what it has hides what is for all
mkdir -p kernels/2.6 kernels/5.4.17 kernels/5.4 kernels/5.4.2 kernels/999.1 kernels/5.x kernels/6
for version in 2.6 5.4 5.4.2 999.1 5.x 6; do
	echo "inline string WHICH = \"$version\"; inline int OLD = 1;" >kernels/$version/a.d
done
echo 'inline string WHICH = "5.4.17"; inline int NEW = BASE + 1;' >kernels/5.4.17/a.d
sed -i '1i #pragma D depends_on library z.d' kernels/5.4.17/a.d
echo 'inline string WHICH = "any"; inline int OLD = 1;' >kernels/a.d
echo 'inline int ALSO = NEW + 1;' >kernels/b.d
echo 'inline int BASE = 1;' >kernels/z.d
try "$DTRACE" -L kernels -qn 'BEGIN { printf("%s %d %d", WHICH, NEW, ALSO); exit(0); }'
expect_status 0
expect_err ""
expect_out $'5.4.17 2 3\n'
unknown OLD -L kernels

# one that is skipped takes with it those that depend on it, and nobody hears of it but who debugs
sed -i '1i #pragma D depends_on module nosuch' order/d.d
sed -i '1i #pragma D depends_on library b.d' order/c.d
echo 'inline int OTHER = 5;' >order/e.d
: >order/f.d
ln -s nosuch order/g.d
try "$DTRACE" -L order -qn 'BEGIN { trace(OTHER); exit(0); }'
expect_status 0
expect_out $'5\n'
expect_err ""
for name in FIRST MIDDLE LAST; do
	unknown $name -L order
done
try env DTRACE_DEBUG= "$DTRACE" -L order -L none -qn 'BEGIN { trace(OTHER); exit(0); }'
expect_status 0
expect_out $'5\n'
debug=$(sed -E 's/^libdtrace DEBUG [0-9]+: /DEBUG: /; s/ in [0-9]+\.[0-9] ms$/ in N ms/' err.txt)
for line in 'library order/d.d: skipped: there is no module nosuch' 'library order/b.d: skipped: there is no library d.d' \
	'library order/c.d: skipped: there is no library b.d' 'library order/e.d: loaded in N ms' \
	'library order/g.d: skipped: No such file or directory' 'libraries in none: skipped: No such file or directory'; do
	grep -qxF "DEBUG: $line" <<<"$debug" || complain "no line \"$line\" in $debug"
done
try "$DTRACE" -x debug -L order -qn 'BEGIN { trace(OTHER); exit(0); }'
expect_match stderr "$err" $'(^|\n)libdtrace DEBUG [0-9]+: library order/e.d: loaded in [0-9.]+ ms\n'

finish
