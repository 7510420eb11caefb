#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Nothing that is committed names the folder it was written in, and no file has the name of an address or an option: one that a
# wrong command line made.
cd "$SRCDIR" || exit 1
list() { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build*' -not -path './.git/*'; }
[[ $SRCDIR == /*/* ]] || { echo "skip: the repository is a folder of /"; exit 77; }
if list | grep -vE '^[A-Za-z0-9._/@+-]+$'; then
	echo "these names have other characters than letters, digits and ._/@+-"
	exit 1
fi
! list | xargs -r -d '\n' grep -InF -- "$SRCDIR/" /dev/null
