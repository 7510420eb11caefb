#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scratchsize: how much a clause may allocate; it is rounded up to a multiple of 8, and may be a megabyte.
# @ref d-language 11.3 size constant-too-large
# @ref d-builtins 3.1 alloca-constant
# @ref options 3 scratchsize
set -u
failures=0
run() { # SIZE N: allocates N bytes, writes the last; prints what it reads
	"$DTRACE" -x errtags -x scratchsize="$1" -qn 'BEGIN { this->p = (char *)alloca('"$2"'); this->p['"$2"' - 1] = 65;
		printf("%d\n", this->p['"$2"' - 1]); exit(0); }' 2>&1 | sed '/^$/d'
}
expect() { # SIZE N WANT
	local got
	got=$(run "$1" "$2")
	# shellcheck disable=SC2053
	[[ $got == $3 ]] && return
	failures=$((failures + 1))
	printf 'scratchsize %s, alloca(%s): got %s, expected %s\n' "$1" "$2" "$got" "$3"
}
expect 1000 1000 65
expect 1000 1001 '*D_ALLOCA_SIZE*'
expect 10 16 65
expect 10 17 '*D_ALLOCA_SIZE*'
expect 64k 65536 65
expect 1m 1048576 65
expect 1m 1048577 '*D_ALLOCA_SIZE*'
exit $((failures != 0))
