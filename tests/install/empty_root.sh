#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build/dtrace-static, copied to a machine with nothing but /proc and /sys, does there what it is copied for: names, types of
# DWARF, user stacks, JSON, flame graphs, static probes, pid probes and -c. The same in each root of another release that
# tests/roots/enter has made.
# @timeout 180
# @needs jq
set -u
cd "$SRCDIR" || exit 1
[[ $BUILD == "$SRCDIR/build" ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
[[ $(id -u) == 0 ]] || { echo "skip: needs root"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
flock "$BUILD/static.lock" make -s build/dtrace-static >"$TMPDIR/log" 2>&1 || { echo "skip: make static fails; static.sh says why"; exit 77; }
${CC:-cc} -std=gnu11 -O1 -g -fomit-frame-pointer -static -o "$TMPDIR/eight" tests/install/eight.c || { echo "skip: cannot link statically"; exit 77; }
bad=0

in_root() { # ARGUMENT...: dtrace in $root, from $root/new
	unshare -m sh -c 'mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" && root=$1 && shift &&
		exec chroot "$root" /new/dtrace "$@"' sh "$root" "$@" </dev/null
}

wants() { # WHAT PATTERN TEXT
	[[ $3 =~ $2 ]] || { echo "${root##*/}: $1: $3"; bad=1; }
}

eight() {
	local out stack=$'eight`pack\n *eight`serve\\+0x[0-9a-f]+\n *eight`main\\+0x[0-9a-f]+\n *eight`__libc_start'
	root=$1
	mkdir -p "$root"/{proc,sys,tmp,new}
	cp build/dtrace-static "$root/new/dtrace"
	cp "$TMPDIR/eight" "$root/new/eight"
	out=$(in_root -qn 'pid$target:eight:pack:entry { @[ustack()] = count(); } pid$target:eight:pack:return { @r = sum(arg1); }' -c /new/eight 2>&1)
	wants "the program's output" $'^140\n|\n140\n|^75\n|\n75\n' "$out"
	wants "stacks and names" "$stack" "$out"
	wants "pid probes" $'\n +70($|\n)' "$out"
	out=$(in_root -qn 'pid$target:eight:pack:entry /args[0]->number == 42/ { print(*args[0]); }' -c /new/eight 2>&1)
	wants "types" 'name = .*tea' "$out"
	wants "types" 'pieces = .*7,' "$out"
	out=$(in_root -qn 'eight$target:::packed { @ = sum(arg0); }' -c /new/eight 2>&1)
	wants "static probes" $'\n +210($|\n)' "$out"
	in_root -qn 'pid$target:eight:serve:entry { @[ustack()] = count(); }' -c /new/eight --output=json:/new/out.json --output=flamegraph:/new/out.html >/dev/null 2>&1
	out=$(jq -sr '[.. | .symbol? // empty] | unique | join(" ")' "$root/new/out.json" 2>&1)
	wants JSON '(^| )main( |$).*(^| )?serve' "$out"
	wants "flame graph" '<svg|<html' "$(head -c 2000 "$root/new/out.html" 2>&1)"
	wants "flame graph" 'serve' "$(grep -a -o 'serve' "$root/new/out.html" 2>&1 | head -n 1)"
	out=$(in_root -qn 'profile-997 /execname == "eight" && arg1/ { @ = count(); } syscall::write:entry /pid == $target/ { @w = count(); }' -c /new/eight 2>&1)
	wants "-c" $'\n +1($|\n)' "$out"
	out=$(in_root -ln 'pid$target:eight:se*:entry' -c /new/eight 2>&1)
	wants "a list" 'eight +serve +entry' "$out"
	rm -rf --one-file-system "$root/new"
}

mkdir "$TMPDIR/empty"
eight "$TMPDIR/empty"
mapfile -t roots < <(find "${ROOTS:-build/roots}" -mindepth 1 -maxdepth 1 -type d ! -name "*.*" 2>/dev/null)
for root in "${roots[@]}"; do
	eight "$root"
done
exit $bad
