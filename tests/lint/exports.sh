#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libdtrace.so and libdtrace.a define for others what the headers declare DTRACE_API, and nothing else.
want=$(grep -hA2 '^DTRACE_API' "$SRCDIR/include/dtrace.h" "$SRCDIR"/include/dtrace/*.h | grep -oE '\bdtrace_[a-z0-9_]+\(' | tr -d '(' | sort -u)
status=0
check() { # NAME SYMBOLS
	local d
	d=$(diff <(echo "$want") <(echo "$2")) && return
	echo "$1 (< declared, > defined):"
	grep '^[<>]' <<<"$d"
	status=1
}
check libdtrace.so "$(nm -D --defined-only "$BUILD/libdtrace.so" | awk '$2 ~ /[TDBRW]/ { sub(/@.*/, "", $3); print $3 }' | sort -u)"
check libdtrace.a "$(nm -g --defined-only "$BUILD/libdtrace.a" | awk '$2 ~ /^[TDBRW]$/ { print $3 }' | sort -u)"
exit $status
