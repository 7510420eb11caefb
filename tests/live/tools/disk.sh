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

# Run a tool and let the writer go when it traces; $out, $err and $status as try() has them.
tool_on() { # NAME WORD...
	rm -f out.json out.txt
	(when_tracing; touch go) &
	try "$DTRACE" --tool "$@"
	wait
}
