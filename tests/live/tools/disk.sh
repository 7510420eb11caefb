# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of tools for block I/O share: a process whose I/O is known, on the disk that holds the current folder.
. "${BASH_SOURCE[0]%/*}/lib.sh"

disk=$(lsblk -ndo NAME "$(df --output=source . | tail -1)" 2>/dev/null) || disk=
[[ -n $disk ]] || { echo "the current folder is not on a disk"; exit 77; }
dd if=/dev/zero of=written bs=1M count=1 oflag=direct 2>/dev/null ||
	{ echo "the disk takes no direct I/O"; exit 77; }

# Sends, when the file "go" appears, N writes of SIZE bytes past the page cache; its pid is in $writer.
write_direct() { # N SIZE
	rm -f go
	# shellcheck disable=SC2016
	sh -c 'while [ ! -e go ]; do sleep .05; done; exec dd if=/dev/zero of=written bs="$2" count="$1" oflag=direct conv=notrunc,nocreat' \
		writer "$1" "$2" 2>/dev/null &
	writer=$!
}

# Run a tool, let the writers go when it traces, and end it after them; when out.txt has $shown, if that is set. $out, $err and $status
# as try() has them.
tool_on() { # NAME WORD...
	local p
	rm -f out.json out.txt
	printf '%s\n' '#!/bin/bash' 'touch go' >release.sh
	for p in $(jobs -p); do echo "while [[ -e /proc/$p/exe ]]; do sleep .02; done" >>release.sh; done
	[[ -z ${shown-} ]] || echo "for ((i = 0; i < 500; i++)); do grep -qsE '$shown' out.txt && break; sleep .02; done" >>release.sh
	chmod +x release.sh
	try "$DTRACE" -c ./release.sh --tool "$@"
	wait
}
