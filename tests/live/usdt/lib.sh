# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of probes in programs share; each sources it and ends with "finish".
. "${BASH_SOURCE%/*}/../cli/lib.sh"

# The notes of a file, a line each, in the order of their addresses: PROVIDER:NAME ARGUMENTS
notes() { # FILE
	readelf -n "$1" | awk '
		$1 == "Provider:" { p = $2 }
		$1 == "Name:" { n = $2 }
		$1 == "Location:" { pc = $2 }
		$1 == "Arguments:" { sub(/^ *Arguments: ?/, ""); print pc, p ":" n, $0 }' | sort | cut -d' ' -f2- | sed 's/ $//'
}

# How many bytes of semaphores a file has.
semaphores() { # FILE
	readelf -SW "$1" | sed -nE 's/.* \.probes +PROGBITS +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+).*/\1/p' | { read -r n && echo $((16#$n)); }
}
