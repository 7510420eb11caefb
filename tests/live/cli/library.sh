#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# D libraries: the system's, -L, nolibs; an error in one is fatal.
# @ref d-language 18.1 libraries library-clause nolibs
# @ref d-errors 1.1 library
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

# the library is named, not the program
printf 'inline int ONE = 1;\ninline int TWO = ;\n' >bad/c.d
try "$DTRACE" -L bad -n 'BEGIN { trace(ONE); }'
expect_status 1
expect_match stderr "$err" '^dtrace: invalid probe specifier [^'$'\n'']*: "bad/c\.d", line 2: syntax error'

finish
