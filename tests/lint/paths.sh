#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Nothing that is committed names the folder it was written in.
cd "$SRCDIR" || exit 1
list() { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build*' -not -path './.git/*'; }
[[ $SRCDIR == /*/* ]] || { echo "skip: the repository is a folder of /"; exit 77; }
! list | xargs -r -d '\n' grep -InF -- "$SRCDIR/" /dev/null
