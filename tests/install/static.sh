#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build/dtrace-static is one file of at most 8 MB that traces with its D libraries where there is no other file. What
# needs a shared library or another program says so.
# @timeout 180
set -e
cd "$SRCDIR"
[[ $BUILD == "$SRCDIR/build" ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
for archive in libelf.a libdw.a libbz2.a libz.a liblzma.a; do
	[[ $(cc -print-file-name=$archive) == /* ]] || { echo "skip: no $archive"; exit 77; }
done
unset MAKEFLAGS MAKELEVEL MFLAGS
flock "$BUILD/static.lock" make -s "$(realpath --relative-to=. "$BUILD")/dtrace-static" >"$TMPDIR/log" 2>&1 || {
	grep -q eu_search_tree_init "$TMPDIR/log" && { echo "skip: this system's libelf.a is incomplete"; exit 77; }
	cat "$TMPDIR/log"
	exit 1
}
size=$(stat -c %s "$BUILD/dtrace-static")
[[ $size -le $((8 << 20)) ]] || { echo "dtrace-static has $size bytes"; exit 1; }
! readelf -lW "$BUILD/dtrace-static" | grep -E 'INTERP|DYNAMIC' || { echo "it is not static"; exit 1; }

[[ $(id -u) == 0 ]] || { echo "skip: needs root"; exit 77; }
root=$TMPDIR/root
mkdir -p "$root"/{proc,sys,tmp}
cp "$BUILD/dtrace-static" "$root/dtrace"
printf '#define N 2\nBEGIN { exit(N); }\n' >"$root/tmp/cpp.d"
bare() { # ARGUMENT...: run it where there is nothing else
	unshare -m sh -c 'mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" && shift && exec chroot "$@"' sh "$root" "$root" /dtrace "$@" 2>&1
}
says() { # TEXT ARGUMENT...
	local got status=0 text=$1
	shift
	got=$(bare "$@") || status=$?
	[[ $got == *"$text"* ]] || { echo "dtrace $*: status $status: $got"; exit 1; }
	[[ $status != 139 ]] || { echo "dtrace $* crashed"; exit 1; }
}
got=$(bare -qn 'BEGIN { printf("%d %d %s\n", curpsinfo->pr_pid == pid, ENOENT, execname); exit(0); }') || true
[[ $got == '1 2 dtrace' ]] || { echo "without other files: $got"; exit 1; }
says 'libmicrohttpd.so.12 cannot be loaded' --web -n 'BEGIN { exit(0); }'
says 'libcurl.so.4 cannot be loaded' --output=clickhouse -n 'BEGIN { exit(0); }'
says 'Preprocessor not found' -C -s /tmp/cpp.d
says 'a static program cannot look up names' --output=graphite:localhost -n 'BEGIN { @ = count(); exit(0); }'
says 'cannot read the D libraries in /none' -x syslibdir=/none -qn 'BEGIN { trace(ENOENT); exit(0); }'
