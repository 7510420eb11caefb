#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# printa(): %@Y and %@T show min() and max() of walltimestamp as times, in the time zone of dtrace.
# @ref output 8.2 values-in-order last-repeats; output 11 formatted zone
set -u
export LC_ALL=C
before=$(date +%s)
TZ=UTC+3 "$DTRACE" -qn 'BEGIN {
	@first[probename] = min(walltimestamp);
	@last[probename] = max(walltimestamp + 86400000000000);
	@n = max(walltimestamp);
	printa("%s first %@Y;", @first);
	printa("last [%@22Y]\n", @last);
	printa("both %@T;%@T\n", @first, @last);
	printa("alone %@-24Y;%@d\n", @n);
	exit(0);
}' >out 2>err || { cat err; exit 1; }
after=$(date +%s)

# The text for any second that the run took.
matches() { # FORMAT-OF-DATE OFFSET TEXT
	local s
	for ((s = before; s <= after; s++)); do
		[[ $(TZ=UTC+3 date -d "@$((s + $2))" +"$1") == "$3" ]] && return
	done
	echo "\"$3\" is not the time"
	cat out
	exit 1
}
one=$(sed -n 's/^BEGIN first \(.*\);last \[\(.*\)\]$/\1/p' out)
two=$(sed -n 's/^BEGIN first \(.*\);last \[\(.*\)\]$/\2/p' out)
matches '%Y %b %e %T' 0 "$one"
matches '  %Y %b %e %T' 86400 "$two"
matches '%a, %d %b %Y %T ' 0 "$(sed -n 's/^both \(.* \)[^ ]*;.*$/\1/p' out)"
matches '%a, %d %b %Y %T ' 86400 "$(sed -n 's/^both .*;\(.* \)[^ ]*$/\1/p' out)"
matches '%Y %b %e %T    ' 0 "$(sed -n 's/^alone \(.*\);[0-9]*$/\1/p' out)"
