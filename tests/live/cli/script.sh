#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Scripts: #! lines, macro arguments, flags among the arguments.
# @vm no: the command line, the kernel has no part in it
# @ref d-language 2 script-name command-name unused-operand argref defaultargs operand-token
# @ref d-language 2 operand-string missing-operand
# @ref d-language 1.1 shebang empty-program line-numbers
# @ref cli 1.1 double-dash operands-anywhere
# @ref cli 1.2 operands script-name command-name shared last-must-be-used argref missing defaultargs
# @ref cli 1.3 first-line clustered blank-is-no-flag env-S flags-among-arguments literal-dash pragmas
# @ref cli 2 s-dev-stdin
# @ref options 4 argref defaultargs
set -u
. "${0%/*}/lib.sh"

script() { # FLAGS BODY
	printf '#!%s %s\n%s\n' "$DTRACE" "$1" "$2" >s.d
	chmod +x s.d
}

script -qs 'BEGIN { printf("%s %d %s", $$0, $1, $$2); exit(0); }'
try ./s.d 12 two
expect_status 0
expect_out $'./s.d 12 two\n'
expect_err ""

# flags among the arguments are dtrace's own, after -- they are not
try ./s.d -x quiet=no 12 two
expect_match stdout "$out" 'FUNCTION:NAME'
try ./s.d 12 -- -q
expect_out $'./s.d 12 -q\n'
try ./s.d -y
expect_status 2

# several flags in the one word that the kernel passes; a blank in it is no flag
script -qZs 'foo:::bar { } BEGIN { printf("ok"); exit(0); }'
try ./s.d
expect_out $'ok\n'
script '-q -s' 'BEGIN { exit(0); }'
try ./s.d
expect_status 2
expect_err_line "dtrace: invalid option -- ' '"

# line numbers count the #! line
script -s 'BEGIN { trace(nope); }'
try ./s.d
expect_err $'dtrace: failed to compile script ./s.d: line 2: failed to resolve nope: Unknown variable name\n'

# each program must use the last argument
try "$DTRACE" -qn 'BEGIN { exit(0); }' x
expect_status 1
expect_match stderr "$err" "extraneous argument 'x' \(\\\$1 is not referenced\)"
try "$DTRACE" -x argref -qn 'BEGIN { exit(0); }' x
expect_status 0
try "$DTRACE" -qn 'BEGIN { trace($1); exit(0); }'
expect_status 1
expect_match stderr "$err" 'macro argument \$1 is not defined'
try "$DTRACE" -x defaultargs -qn 'BEGIN { printf("%d[%s]", $1, $$2); exit(0); }'
expect_out $'0[]\n'

# read from the standard input
"$DTRACE" -qs /dev/stdin 5 <<<'BEGIN { printf("%s %d", $$0, $1); exit(0); }' >out.txt 2>err.txt
status=$? out=$(cat out.txt) err=$(cat err.txt) what='-s /dev/stdin'
expect_status 0
expect_text stdout "$out" '/dev/stdin 5'
try "$DTRACE" -s /dev/stdin
expect_status 1
expect_match stderr "$err" 'failed to compile script /dev/stdin: .*empty D program translation unit'
try "$DTRACE" -s -
expect_status 1
expect_err $'dtrace: failed to open -: No such file or directory\n'
try "$DTRACE" -s .
expect_status 1
expect_err $'dtrace: failed to compile script .: Error occurred while reading from input stream\n'

# flags, macro arguments and a command for a script that is a command
script -s 'syscall::$$1:entry
/pid == $target/
{
	@ = count();
}'
try ./s.d getppid -qc "$BUILD/tests/live/triggers/calls getppid 3"
expect_status 0
expect_out $'\n                3\n'

# env -S
printf '#!/usr/bin/env -S %s -q -s\nBEGIN { trace($1); exit(0); }\n' "$DTRACE" >s.d
try ./s.d 8
expect_out $'8\n'

# options that one word has no room for
script -s '#pragma D option quiet
#pragma D option defaultargs
BEGIN { printf("%d[%s]", $1, $$2); exit(0); }'
try ./s.d
expect_status 0
expect_out $'0[]\n'
try ./s.d 3 x
expect_out $'3[x]\n'
script -s '#pragma D option quiet
#pragma D option argref
BEGIN { trace("ok"); exit(0); }'
try ./s.d 3 x
expect_out $'ok\n'

# each of several programs has to use the last argument
echo 'BEGIN { trace($1); }' >a.d
try "$DTRACE" -q -s a.d -n 'BEGIN { trace($1 + 1); exit(0); }' 5
expect_out $'56\n'
try "$DTRACE" -q -s a.d -n 'BEGIN { exit(0); }' 5
expect_status 1

# $0 of a program that is no script is the command; operands and flags can be mixed
try "$DTRACE" 5 -qn 'BEGIN { printf("%s %d %d", $$0, $1, $2); exit(0); }' 6
expect_out "$DTRACE 5 6"$'\n'
try env POSIXLY_CORRECT=1 "$DTRACE" 5 -qn 'BEGIN { trace($1); exit(0); }'
expect_out $'5\n'

finish
