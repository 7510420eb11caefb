#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# For the tests of Python: pythons 3.11 3.12 ... sets the array `pythons` to the interpreters of these versions that are here,
# as $PYTHONS (paths), the PATH or pyenv have them; the others are told.  Without any the test is skipped.

. "$SRCDIR/tests/live/managed/find_python.inc"

pythons() {
	local version p absent=
	pythons=()
	for version; do
		p=$(find_python "$version")
		if [[ $p ]]; then pythons+=("$p"); else absent+=" $version"; fi
	done
	[[ ! $absent ]] || echo "skipped, not installed: Python$absent"
	((${#pythons[@]})) || { echo "needs one of Python $*"; exit 77; }
}
