#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The envelopes of compile errors, and that one is fatal before anything runs.
# @vm no: the command line, the kernel has no part in it
# @ref d-errors 1.1 script specifier errtags region line status
# @ref d-errors 1.2 open-script
# @ref d-language 1.1 regions line-numbers
# @ref d-language 4 overspecified bad-id
# @ref d-errors 1.5 error
# @ref cli 1.1 first-failure-fatal
# @ref cli 2 c-not-executed
# @ref cli 2.1 overspecified undefined-macro id-no-integer id-not-permitted bare-in-script predicate-alone name-uncropped-in-errors
# @ref cli 2.4 no-probes-specified
# @ref cli 3 errors-never-suppressed
# @ref cli 3.2 open-script compile-script probe-specifier enable-tracing
# @ref cli 3.3 errtags script-line in-action-list no-location near-end-of-input near-token four-fields first-error-only
# @ref cli 5.3 error
# @ref cli 14 q-error
# @ref options 4 errtags
# @ref options 5.2 too-small
# @ref options 5.3 too-small
# @ref options 5.6 invalid
set -u
. "${0%/*}/lib.sh"

try "$DTRACE" -n 'foo:::bar'
expect_status 1
expect_out ""
expect_err $'dtrace: invalid probe specifier foo:::bar: probe description foo:::bar does not match any probes\n'

# the whole argument is quoted
try "$DTRACE" -n 'BEGIN { trace(nope); }'
expect_status 1
expect_err $'dtrace: invalid probe specifier BEGIN { trace(nope); }: in action list: failed to resolve nope: Unknown variable name\n'

try "$DTRACE" -x errtags -n 'BEGIN { trace(nope); }'
expect_match stderr "$err" 'invalid probe specifier BEGIN \{ trace\(nope\); \}: \[D_IDENT_UNDEF\] in action list: '

try "$DTRACE" -n 'BEGIN{x'
expect_status 1
expect_err $'dtrace: invalid probe specifier BEGIN{x: syntax error near end of input\n'

printf 'BEGIN\n{\n\ttrace(1);\n}\n\nEND\n{\n\ttrace(fooo);\n}\n' >x.d
try "$DTRACE" -s x.d
expect_status 1
expect_err $'dtrace: failed to compile script x.d: line 8: failed to resolve fooo: Unknown variable name\n'

try "$DTRACE" -s ./nosuch.d
expect_status 1
expect_err $'dtrace: failed to open ./nosuch.d: No such file or directory\n'

# the second program's error: the first has not run, nor is its notice printed
try "$DTRACE" -n 'BEGIN { printf("ran"); exit(0); }' -s x.d
expect_status 1
expect_out ""
expect_match stderr "$err" '^dtrace: failed to compile script x.d: line 8: [^'$'\n'']*'$'\n''$'

# descriptions: each letter's level
specifier() { # LETTER ARGUMENT MESSAGE
	try "$DTRACE" "$1" "$2"
	expect_status 1
	expect_out ""
	expect_err "dtrace: invalid probe specifier $2: $3"$'\n'
}
none() { specifier "$1" "$2" "probe description $3 does not match any probes"; }
over() { specifier "$1" "$2" "invalid probe description \"$2\": Overspecified probe description"; }
none -P nosuch nosuch:::
none -m nosuch :nosuch::
none -m dtrace:nosuch dtrace:nosuch::
none -f nosuch ::nosuch:
none -n nosuch :::nosuch
none -n nosuch:entry ::nosuch:entry
none -i nosuch :::nosuch
over -P a:b
over -m a:b:c
over -f a:b:c:d
over -n a:b:c:d:e
specifier -P 1 'probe identifier 1 not permitted when specifying providers'
specifier -m 1 'probe identifier 1 not permitted when specifying modules'
specifier -f 1 'probe identifier 1 not permitted when specifying functions'
specifier -i 0 'invalid probe identifier 0: Unknown probe identifier'
specifier -i 99999999 'invalid probe identifier 99999999: Unknown probe identifier'
specifier -n '$foo:::' 'invalid probe description "$foo:::": Undefined macro variable in probe description'
specifier -n '' 'empty D program translation unit'
try "$DTRACE" -n 'BEGIN /1/'
expect_status 1
expect_match stderr "$err" '^dtrace: invalid probe specifier BEGIN /1/: '
printf 'BEGIN\n' >b.d
try "$DTRACE" -s b.d
expect_status 1
expect_match stderr "$err" '^dtrace: failed to compile script b.d: line [12]: expected predicate and/or actions following probe description'

# errors are shown in quiet mode too
try "$DTRACE" -q -n 'foo:::bar'
expect_status 1
expect_match stderr "$err" 'does not match any probes'

try "$DTRACE" -q
expect_status 1
expect_err $'dtrace: no probes specified\n'

# nothing to enable: with -Z that is no error
try "$DTRACE" -e -Z -n foo:::bar
expect_status 0
expect_err ""

# explained: the place in the argument, and what may have been meant
try "$DTRACE" -x explain -n $'BEGIN\n{ trace(1 + ); }\nEND { trace( }'
expect_status 1
expect_err $'-n:2:13: syntax error near ")"
{ trace(1 + ); }
            ^
-n:3:14: syntax error near "}"
END { trace( }
             ^
'
try "$DTRACE" -x strsiz=4 -x explain
expect_err $'dtrace: failed to set -x strsiz: Invalid option name\n'
hinted() { # HINT ARGUMENTS...
	local hint=$1
	shift
	try "$DTRACE" -x explain "$@"
	expect_text "last line of stderr" "${err#*$'\n'}" "$hint"$'\n'
}
hinted 'did you mean strsize?' -x strsiz=4
hinted 'bufsize takes a size, such as 64k or 4m' -b much
hinted 'evaltime takes exec|preinit|postinit|main' -x evaltime=never
hinted 'did you mean open?' -ln syscall::opne:entry
hinted 'did you mean syscall::open:entry?' -ln syscal::opne:entry
hinted 'did you mean BEGIN?' -ln begin
hinted 'did you mean tick-5s?' -ln profile:::tik-5s
try "$DTRACE" -ln syscall::opne:entry
expect_err $'dtrace: failed to match syscall::opne:entry: No probe matches description\n'

# on a terminal without being asked, unless told not to
if command -v script >/dev/null; then
	on_terminal() { # COMMAND
		TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r' >tty.txt
		expect_text "$1 on a terminal" "$(<tty.txt)" "$2"
	}
	line='dtrace: invalid probe specifier BEGIN { trace( }: syntax error near "}"'
	on_terminal "NO_COLOR=1 $DTRACE -n 'BEGIN { trace( }'" "-n:1:16: syntax error near \"}\"
BEGIN { trace( }
               ^"
	on_terminal "$DTRACE -n 'BEGIN { trace( }'" $'\033[1m-n:1:16:\033[0m syntax error near "}"
BEGIN { trace( }
               \033[1;31m^\033[0m'
	on_terminal "$DTRACE -x explain=no -n 'BEGIN { trace( }'" "$line"
	on_terminal "DTRACE_OPT_EXPLAIN=no $DTRACE -n 'BEGIN { trace( }'" "$line"
	on_terminal "stty cols 20; NO_COLOR=1 $DTRACE -n 'BEGIN { /* a long comment */ trace( }'" \
		'-n:1:37: syntax error near "}"
...mment */ trace( }
                   ^'
fi

# failures to start
start() { # MESSAGE ARGUMENTS...
	local message=$1
	shift
	try "$DTRACE" -q "$@"
	expect_status 1
	expect_err "dtrace: could not enable tracing: $message"$'\n'
}
start 'Enabling exceeds size of buffer' -x aggsize=1 -n 'BEGIN { @[pid] = count(); exit(0); }'
start 'Enabling exceeds size of buffer' -x dynvarsize=1 -n 'BEGIN { a[1] = 1; exit(0); }'
try "$DTRACE" -q -x cpu=4000 -n 'BEGIN { exit(0); }'
expect_status 1
expect_match stderr "$err" '^dtrace: could not enable tracing: [^'$'\n'']*4000[^'$'\n'']*'$'\n$'

try "$DTRACE" -c ./nosuch -n BEGIN
expect_status 1
expect_err $'dtrace: failed to execute ./nosuch: No such file or directory\n'

finish
