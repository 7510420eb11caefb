#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# For the tests of Python: pythons 3.11 3.12 ... sets the array `pythons` to the interpreters of these versions that are here,
# as $PYTHONS (paths), the PATH or pyenv have them; the others are told.  Without any the test is skipped.

# Prints the interpreter of a version, not a script that starts one.
find_python() {
	local p
	for p in ${PYTHONS-} "/usr/bin/python$1" "$(command -v "python$1")" \
		"${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/"python$1"; do
		[[ ${p##*/} == "python$1" && -x $p ]] && "$p" -V >/dev/null 2>&1 && [[ $(head -c4 "$p") == $'\x7fELF' ]] && {
			echo "$p"
			return
		}
	done
}

pythons() {
	local version p absent=
	# docs/LIMITS.md
	[[ $(uname -r) != 6.1.* ]] || { echo "on Linux 6.1 a stack of Python can end early"; exit 77; }
	pythons=()
	for version; do
		p=$(find_python "$version")
		if [[ $p ]]; then pythons+=("$p"); else absent+=" $version"; fi
	done
	[[ ! $absent ]] || echo "skipped, not installed: Python$absent"
	((${#pythons[@]})) || { echo "needs one of Python $*"; exit 77; }
}
