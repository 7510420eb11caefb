#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With evaltime=exec the execution of the command itself is seen, of programs and scripts, and they run as ever.
# @ref options 4 evaltime
# @ref cli 5 c-stopped-before-main
set -u
. "${0%/*}/../cli/lib.sh"

printf '%s\n' '#!/bin/sh' 'echo "$0 $1 $2"' 'tr "\0" " " </proc/$$/cmdline' >script
printf '%s\n' '#!/bin/sh -e' 'echo "$0 $1"' >option
chmod +x script option

execs() { # COMMAND EVENTS OUTPUT
	try "$DTRACE" -x evaltime=exec -qo events.txt -n 'proc:::exec-success /pid == $target/ { printf("%s: %s\n", execname, curpsinfo->pr_psargs); }
		proc:::exit /pid == $target/ { printf("exit %d\n", arg0 == CLD_EXITED); }' -c "$1"
	expect_err ""
	expect_text "output of $1" "$out" "$3"
	expect_text "events of $1" "$(grep . events.txt)" "$2"
	rm -f events.txt
}
execs "/bin/echo one  two" $'echo: /bin/echo one two\nexit 1' $'one two\n'
execs "echo" $'echo: echo\nexit 1' $'\n'
execs "./script a b" $'script: /bin/sh ./script a b\nexit 1' './script a b
/bin/sh ./script a b '
execs "./option a" $'option: /bin/sh -e ./option a\nexit 1' $'./option a\n'
execs "env VALUE=7 printenv VALUE" $'env: env VALUE=7 printenv VALUE\nprintenv: printenv VALUE\nexit 1' $'7\n'

# not at other times, and the first instruction is seen
try "$DTRACE" -x evaltime=preinit -qn 'proc:::exec-success /pid == $target/ { printf("%s\n", execname); }' -c 'echo'
expect_text "with preinit" "$out" $'\n\n'
try "$DTRACE" -x evaltime=exec -qn 'pid$target:a.out:_start:entry { n++; } END { printf("%d", n); }' -c "$BUILD/tests/live/pid/work add 1"
expect_text "the program's start" "$out" $'1\n'
finish
