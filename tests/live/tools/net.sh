# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of tools for TCP share: a process whose connection on loopback is known.
. "${BASH_SOURCE[0]%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

# Run a tool while transfer.py sends TO bytes and gets FROM bytes back, after it has done so in another process; $out, $err and
# $status as try() has them, $client, $server and $closed the ports, and @ in WORD is the pid of transfer.py, also $transfer.
tool_on_transfer() { # TO FROM NAME WORD...
	printf '%s\n' '#!/bin/bash' "transfer=\"$SRCDIR/tests/live/triggers/transfer.py\"" 'python3 "$transfer" 100 100 <<<go >/dev/null' \
		'exec python3 "$transfer" "$@" <<<go' >transfers.sh
	chmod +x transfers.sh
	tool_during ./transfers.sh "$1" "$2" -- "${@:3}"
	transfer=$during
	{ read -r client server; read -r closed; } <said.txt
}
