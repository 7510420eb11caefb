# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of other people's programs share.

skip() { echo "$1"; exit 77; }
[[ $(id -u) == 0 ]] || skip "tracing needs root"

# has_notes FILE PROVIDER: the package was built with static probes
has_notes() {
	[[ -r $1 ]] && readelf -n "$1" 2>/dev/null | grep -q "Provider: $2\$"
}

failed=0
fail() { # WHAT [FILE]
	echo "FAIL: $1"
	[[ -z ${2:-} ]] || head -n 20 "$2" | sed 's/^/    /'
	failed=1
}

# same WHAT FILE: FILE is what stdin says
same() {
	diff - "$2" >difference || fail "$1" difference
}
