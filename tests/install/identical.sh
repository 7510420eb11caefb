#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two builds of the same sources in folders with different names are identical, and so are two archives of make dist. The builds are
# those of the packages, if this system can build both kinds.
# @timeout 900
# @slow
set -e -o pipefail
. "${0%/*}/packages.sh"

fails() { echo "$*"; exit 1; }
quietly() { "$@" >"$TMPDIR/log" 2>&1 || { tail -n 20 "$TMPDIR/log"; exit 1; }; }

if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null && command -v rpmbuild >/dev/null; then
	packages rpm
	two=$TMPDIR/rpm
	cp -a "$tree" "$two"
	packages deb
	one=$tree
	# the packages have their libraries in different folders, which one object names
	touch "$two/src/compile/libdir.c"
	quietly eval 'packages_flags; make -C "$two" -j"$(nproc)" all libdir="/usr/lib/$(cc -print-multiarch)"'
else
	for one in "$TMPDIR/one" "$TMPDIR/some/other-folder"; do
		mkdir -p "$one"
		packages_archive "$TMPDIR/sources"
		tar -xf "$TMPDIR/sources" --strip-components 1 -C "$one"
		quietly make -C "$one" -j"$(nproc)" all
	done
	two=$TMPDIR/one
fi
for file in dtrace libdtrace.so libdtrace.a; do
	cmp "$one/build/$file" "$two/build/$file" || fails "$file depends on its folder"
	for folder in "$SHARED" "$TMPDIR"; do
		! grep -qF "$folder" "$two/build/$file" || fails "$file names the folder it was built in"
	done
done

make -s dist B="$TMPDIR/one.dist" >/dev/null
TZ=Asia/Tokyo LC_ALL=C make -s dist B="$TMPDIR/two.dist" >/dev/null
cmp "$TMPDIR"/one.dist/*.tar.gz "$TMPDIR"/two.dist/*.tar.gz || fails "make dist differs"
