#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tools that print at intervals print what they have seen if they end before the first one; those that print tables print what
# came after the last one as well.
. "${0%/*}/lib.sh"

work=(bash -c 'for i in 1 2 3; do (:); done; echo >written; cat written /nosuch' busy)
long=1000 # seconds, of an interval
early() { # TOOL WORD...
	tool_during "${work[@]}" -- "$1" -i "$long" "${@:2}"
	expect_status 0
	expect_err ""
}
early filetop -p @
expect_match filetop "$out" '
20[0-9]{2} .*
 +PID COMM +CALLS +READ KB +WRITE KB PATH
( .*
)* +[0-9]+ bash +1 +0 +0 .*/written
'
early vfsstat
expect_match vfsstat "$out" '^TIME .*
20[0-9]{2} .*[0-9]
*$'
early pidpersec -p @
expect_match pidpersec "$out" '^TIME +PIDS
20[0-9]{2} .* +3
*$'
early cachestat -p @
expect_match cachestat "$out" '^TIME +CALLS .*
20[0-9]{2} .* [1-9][0-9]* +[0-9]+ +[0-9]+ +[0-9]+
*$'
early syscount -p @
expect_match syscount "$out" '^SYSCALL +COUNT
([a-z0-9_]+ +[0-9]+
)+
*$'
early cpudist -p @
expect_match cpudist "$out" '
  all +
 +value .*Distribution'

# all that was counted is in one of the tables
work=(bash -c 'for i in {1..15}; do printf "%4096d" 1 >&8; read -rt .1 <>/dev/fd/9; done 8>written 9<>fifo' busy)
mkfifo fifo
tool_during "${work[@]}" -- filetop -p @ -i 1
expect_text "written in all" "$(awk '/\/written$/ { n += $3; kb += $5 } END { print n, kb }' <<<"$out")" "15 60"
tool_during "${work[@]}" -- syscount -p @ -i 1
expect_text "calls in all" "$(awk '$1 == "write" { n += $2 } END { print n }' <<<"$out")" 15

command -v python3 >/dev/null || finish
"$DTRACE" -en 'sdt:sock::sock_send_length' >/dev/null 2>&1 || finish
work=(bash -c "exec python3 '$SRCDIR/tests/live/triggers/transfer.py' 20480 10240 <<<go")
early tcptop
expect_match tcptop "$out" '
20[0-9]{2} .*
 +PID COMM +LOCAL +REMOTE +TX KB +RX KB
(.*
)* +[0-9]+ python3 +127[^ ]+ +127[^ ]+ +20 +10
'
finish
