#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# More keys than aggsize has room for: those that fit are counted on, each update of another is a
# drop; aggregations without keys never drop.
# @ref d-errors 5 aggregation
# @ref output 13 aggregation
# @ref d-language 15 aggsize-drop
# @ref d-builtins 7.6 aggsize
# @ref options 3 aggsize; options 5.2 new-keys-only
. "$SRCDIR/tests/live/buffers/lib.sh"

run_trigger 'values spread 1 1000' -x aggsize=1k -n 'syscall::getppid:entry /pid == $target/ {
	@[arg1] = sum(2); @plain = count(); @dist = quantize(arg1); @[0] = sum(5); }'
drops '([0-9]+) aggregation drops? on CPU [0-9]+'
n=$(awk 'NF == 2 && $2 ~ /^[0-9]+$/ { n++ } END { print n + 0 }' out.txt)
[[ $n -gt 1 && $dropped -gt 0 ]] || complain "keys $n, drops $dropped"
expect "keys $n and drops $dropped" $((n + dropped)) 1000
expect "without keys" "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' out.txt)" 1000
expect "a key that was there" "$(awk '$1 == 0 && NF == 2 { print $2 }' out.txt)" 5002
expect "the distribution" "$(awk '/\|/ { n += $NF } END { print n }' out.txt)" 1000

# from eight threads
run_trigger 'values spread 8 500' -x aggsize=2k -n 'syscall::getppid:entry /pid == $target/ {
	@[arg0, arg1] = count(); @plain = count(); }'
drops '([0-9]+) aggregation drops? on CPU [0-9]+'
n=$(awk 'NF == 3 { n += $3 } END { print n + 0 }' out.txt)
expect "of eight threads, counted $n and dropped $dropped" $((n + dropped)) 4000
expect "without keys" "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' out.txt)" 4000
exit $bad
