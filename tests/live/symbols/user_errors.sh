#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong with a symbol of the target: marks of the other kind, no such symbol, no types, no target.
# @ref d-errors 2.9 D_SYM_BADREF; d-language 14 user-symbol mark-mismatch
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
user=$BUILD/tests/live/symbols/user
bad=0
refused() { # EXPRESSION MESSAGE [OPTION...]
	local expression=$1 message=$2
	shift 2
	"$DTRACE" -x errtags "$@" -n "BEGIN { trace($expression); }" >out.txt 2>err.txt && { echo "$expression: accepted"; bad=1; }
	grep -qF -- "$message" err.txt || { echo "$expression: $(<err.txt)"; bad=1; }
}
# shellcheck disable=SC2016
{
	refused '`config.level' '[D_SYM_BADREF] in action list: `config is a symbol of the target: it takes two scoping marks' -c "$user"
	refused '&``schedule' '[D_SYM_BADREF] in action list: ``schedule is a kernel symbol: it takes one scoping mark' -c "$user"
	refused '``nothing' '[D_IDENT_UNDEF] in action list: failed to resolve ``nothing: Unknown symbol name' -c "$user"
	refused 'libc``config' '[D_IDENT_UNDEF] in action list: failed to resolve libc``config: Unknown symbol name' -c "$user"
	refused '``config' '[D_IDENT_UNDEF] in action list: failed to resolve ``config: Unknown symbol name'
	cp "$user" plain && strip --strip-debug plain
	refused '``config' '[D_SYM_NOTYPES] in action list: no symbolic type information is available for ``config' -c ./plain
}
exit $bad
