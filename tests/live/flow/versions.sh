#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Extensions that are later than the version asked for are not there, and change nothing: their names are free.
# @vm no: the compiler alone
# @ref d-language 21 unavailable-by-version
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
for call in 'toupper("a")' 'tolower("a")' 'strtoll("1")' 'json("{}", "a")'; do
	name=${call%%(*}
	err=$("$DTRACE" -e -x errtags -x version=2.0 -n "BEGIN { trace($call); }" 2>&1)
	[[ $err == *"[D_FUNC_UNDEF] in action list: undefined function name: $name" ]] || { echo "$call: $err"; bad=1; }
	err=$("$DTRACE" -e -n "BEGIN { trace($call); }" 2>&1) || { echo "$call: $err"; bad=1; }
	out=$("$DTRACE" -q -x version=2.0 -n "BEGIN { $name = 3; trace($name); exit(0); }" 2>&1)
	[[ $out == 3 ]] || { echo "$name: $out"; bad=1; }
done
exit $bad
