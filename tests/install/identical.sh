#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two builds of the same sources in folders with different names are identical, and so are two archives of make dist.
# @timeout 300
# @slow
set -e
cd "$SRCDIR"
[[ $BUILD == "$SRCDIR/build" ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
git rev-parse -q --verify HEAD >/dev/null || { echo "skip: not a clone"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
copy=$TMPDIR/some/other-folder
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read 2>/dev/null | tar -x -C "$copy"
{ make WERROR=1 all && make -C "$copy" -j"$(nproc)" WERROR=1 all; } >"$TMPDIR/log" 2>&1 || { tail -n 20 "$TMPDIR/log"; exit 1; }
for file in dtrace libdtrace.so libdtrace.a; do
	cmp "$BUILD/$file" "$copy/build/$file" || { echo "$file depends on its folder"; exit 1; }
	! grep -qF "$copy" "$copy/build/$file" || { echo "$file names the folder it was built in"; exit 1; }
done

make -s dist B="$TMPDIR/one" >/dev/null
TZ=Asia/Tokyo LC_ALL=C make -s dist B="$TMPDIR/two" >/dev/null
cmp "$TMPDIR"/one/*.tar.gz "$TMPDIR"/two/*.tar.gz || { echo "make dist differs"; exit 1; }
