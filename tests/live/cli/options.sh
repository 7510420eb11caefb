#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Options by flag, -x and environment: what is accepted, and how refusals read.
# @vm no: the command line, the kernel has no part in it
# @ref d-errors 1.2 bad-option bad-flag-value
# @ref d-language 18 option option-bad option-malformed
# @ref d-language 18.1 forbidden sizes rates booleans bare-boolean
# @ref cli 1.1 environment-before-flags flags-apply-to-all last-wins pragma-of-later-script
# @ref cli 2 F q x X x-empty-value
# @ref cli 3.2 set-option
# @ref cli 7 option-variables invalid-ignored
# @ref cli 14 F-q q-then-quiet-no
# @ref options 1 command-line flags environment pragma pragma-of-session pragma-overrides pragma-anywhere not-supported
# @ref options 1.1 unknown bad-value missing-value value-of-flag not-in-pragma too-big x-wrapping pragma-wrapping pragma-malformed pragma-superfluous
# @ref options 2 zero-is-on
# @ref options 4 late
# @ref options 3 quiet flowindent jstackstrsize
set -u
. "${0%/*}/lib.sh"

refused() { # MESSAGE ARGUMENTS...
	local message=$1
	shift
	try "$DTRACE" "$@" -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_out ""
	expect_err "dtrace: failed to set $message"$'\n'
}

name='Invalid option name'
value='Invalid value for specified option'
refused "-x nosuch: $name" -x nosuch
refused "-x nosuch: $name" -x nosuch=4
refused "-x quiet: $value" -x quiet=maybe
refused "-x defaultargs: $value" -x defaultargs=1
refused "-x strsize: $value" -x strsize=1
refused "-x strsize: $value" -x strsize
refused "-x strsize: Value too large for defined data type" -x strsize=8g
refused "-x switchrate: $value" -x 'switchrate=1 sec'
refused "-x zone: Option 'zone' is not supported yet" -x zone=2
refused "-x bufpolicy: $value" -x bufpolicy=round
refused "-x libdir: $value" -x libdir
refused "-x evaltime: $value" -x evaltime=later
refused "-x dump: $value" -x dump=ast,nosuch
refused "-x bufpolicy: $value" -x bufpolicy
refused "-x stackframes: $value" -x stackframes=-1
for frames in stackframes ustackframes jstackframes maxframes; do
	refused "-x $frames: $value" -x $frames=4097
done
refused "-x cpu: $value" -x cpu=4294967296
refused "-x stackindent: $value" -x stackindent=2147483648
refused "-x aggsortkey: $value" -x aggsortkey=3x
refused "-x define: $value" -x define
refused "-b 4x: $value" -b 4x
refused "-b -1: $value" -b -1
refused "-X q: $value" -X q

# the first wrong one is told, and nothing is compiled before
try "$DTRACE" -x nosuch1 -x nosuch2 -n 'syntax error'
expect_err "dtrace: failed to set -x nosuch1: $name"$'\n'

# flags apply to every program wherever they stand; the last one wins
try "$DTRACE" -n 'BEGIN { printf("a"); exit(0); }' -q
expect_status 0
expect_out $'a\n'
expect_err ""
try "$DTRACE" -q -x quiet=no -n 'BEGIN { exit(0); }'
expect_match stdout "$out" 'FUNCTION:NAME'
try "$DTRACE" -x quiet=0 -n 'BEGIN { exit(0); }'
expect_out $'\n'

# the environment comes before the flags, and is never an error
try env DTRACE_OPT_QUIET=yes DTRACE_OPT_BUFSIZE=junk DTRACE_OPT_NSPEC=2 \
	"$DTRACE" -n 'BEGIN { printf("a"); exit(0); }'
expect_out $'a\n'
expect_err ""
try env DTRACE_OPT_QUIET=yes "$DTRACE" -x quiet=no -n 'BEGIN { exit(0); }'
expect_match stdout "$out" 'FUNCTION:NAME'

# a pragma is the last word
cat >p.d <<'D'
#pragma D option quiet
BEGIN
{
	printf("a");
	exit(0);
}
D
try "$DTRACE" -x quiet=no -s p.d
expect_out $'a\n'
expect_err ""

pragma() { # LINE MESSAGE
	printf '%s\nBEGIN\n{\n\texit(0);\n}\n' "$1" >q.d
	try "$DTRACE" -s q.d
	expect_status 1
	expect_out ""
	expect_err "dtrace: failed to compile script q.d: line 1: $2"$'\n'
}
from='Option cannot be used from within a D program'
pragma '#pragma D option incdir=/tmp' "failed to set option 'incdir' to '/tmp': $from"
pragma '#pragma D option cpphdrs' "failed to set option 'cpphdrs': $from"
pragma '#pragma D option nosuch' "failed to set option 'nosuch': $name"
pragma '#pragma D option nosuch=1' "failed to set option 'nosuch' to '1': $name"
pragma '#pragma D option quiet=maybe' "failed to set option 'quiet' to 'maybe': $value"
pragma '#pragma D option zone=4' "failed to set option 'zone' to '4': Option 'zone' is not supported yet"
pragma '#pragma D option' 'malformed #pragma option <option>=<val>'
pragma '#pragma D option strsize=8 quiet' 'superfluous arguments specified for #pragma option'

# one of a later program holds for the whole session, and needs no place of its own
printf 'BEGIN\n{\n#pragma D option quiet\n\tprintf("b");\n\texit(0);\n}\n' >r.d
try "$DTRACE" -n 'BEGIN { printf("a"); }' -s r.d
expect_status 0
expect_out $'ab\n'
expect_err ""

# sizes, rates and words that are taken
for option in strsize=1k bufsize=512k bufsize=2M aggsize=64k dynvarsize=0x10000 switchrate=10hz \
	switchrate=1sec switchrate=5 aggrate=100ms statusrate=1d cleanrate=100hz bufpolicy=switch bufpolicy=fill \
	bufpolicy=ring \
	bufresize=manual temporal temporal=no stackframes=5 ustackframes=5 jstackframes=9 evaltime=main late=static late=dynamic \
	switchrate=1sec switchrate=5 aggrate=100ms statusrate=1d cleanrate=100hz bufpolicy=switch \
	bufresize=manual temporal temporal=no stackframes=5 ustackframes=5 jstackframes=9 jstackstrsize=1k evaltime=main \
	nolibs errtags argref zdefs droptags quietresize lockmem=64k maxframes=10; do
	try "$DTRACE" -x $option -qn 'BEGIN { trace(1); exit(0); }'
	expect_status 0
	expect_out $'1\n'
	expect_err ""
done

# flags for whole runs
try "$DTRACE" -Fn 'syscall::getppid: /pid == $target/ { }' -c "$BUILD/tests/live/triggers/calls getppid 1"
expect_status 0
expect_text "flow" "$(sed -E 's/^ *[0-9]+ /# /' out.txt)" \
	"$(printf '%3s %-41s\n' CPU FUNCTION; printf '# %-41s \n' ' => getppid' ' <= getppid')"
try "$DTRACE" -Fqn 'BEGIN { trace(1); exit(0); }'
expect_match stdout "$out" $'^CPU FUNCTION {33}\n *[0-9]+ \| :BEGIN {34}1\n$'
try env DTRACE_OPT_STRSIZE=4 DTRACE_OPT_NOSUCH=1 DTRACE_OPT_CPP=1 "$DTRACE" -qn 'BEGIN { trace("abcdefgh"); exit(0); }'
expect_status 0
expect_match stdout "$out" $'^abcd?\n$'

finish
