#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make rpm: the packages are installed by rpm --root in a copy of this system, work there, and leave nothing when they are
# removed. A file system over / takes what is written.
# @timeout 900
# @slow
[[ $(id -u) == 0 ]] || { echo "skip: needs root"; exit 77; }
for tool in rpm rpmbuild unshare; do
	command -v $tool >/dev/null || { echo "skip: no $tool"; exit 77; }
done
set -e -o pipefail
. "${0%/*}/packages.sh"
packages rpm
cp -r "$packages" "$TMPDIR/rpm"
rm -f "$TMPDIR"/rpm/RPMS/*/*-debug{info,source}-*.rpm

# ---- inside

cat >"$TMPDIR/inside" <<'E2'
set -e -o pipefail
export LC_ALL=C
fail() { echo "$*"; exit 1; }
quietly() { "$@" >log 2>&1 || { cat log; fail "failed: $*"; }; }
cd "$1"

# the command, its D libraries, its tools and its manual pages
[[ $(/usr/sbin/dtrace -qn 'BEGIN { printf("%d %d\n", curpsinfo->pr_pid == pid, ENOENT); exit(0); }' 2>&1) == '1 2' ]] ||
	fail "dtrace does not trace"
said=$(/usr/sbin/dtrace -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' \
	-c "$BUILD/tests/live/triggers/calls getppid 7" 2>&1)
[[ $said == *7* ]] || fail "getppid is counted as: $said"
/usr/sbin/dtrace --tool opensnoop -h | grep '^opensnoop: ' >/dev/null || fail "no tools"
for tool in "$SRCDIR"/tools/*.d; do
	[[ -x /usr/share/dtrace/tools/${tool##*/} ]] || fail "$tool is not installed"
done
for page in man5/dtrace.conf.5 man8/dtrace.8 man7/d.7 man3/libdtrace.3; do
	[[ -s /usr/share/man/$page || -s /usr/share/man/$page.gz ]] || fail "$page is not installed"
done
for file in bash-completion/completions/dtrace zsh/site-functions/_dtrace fish/vendor_completions.d/dtrace.fish; do
	[[ -s /usr/share/$file ]] || fail "$file is not installed"
done

# static probes, and the library
printf 'provider swarm { probe hit(int); };\n' >p.d
printf '#include "p.h"\nint main(int c, char **v) { SWARM_HIT(c); return 0; }\n' >m.c
quietly /usr/sbin/dtrace -h -s p.d -o p.h
quietly cc -c m.c -o m.o
quietly /usr/sbin/dtrace -G -s p.d -o p.o m.o
quietly cc m.o p.o -o m
[[ $(/usr/sbin/dtrace -qn 'swarm$target:::hit { printf("%d\n", arg0); }' -c ./m 2>&1) == 1 ]] || fail "no probe in a program"
libs=$(rpm --eval %_libdir)
quietly cc -Wall -Werror -o syscalls "$SRCDIR/examples/syscalls.c" -L"$libs" -ldtrace
ldd syscalls | grep "=> $libs/libdtrace.so.0" >/dev/null || fail "linked with another libdtrace: $(ldd syscalls)"
./syscalls "$BUILD/tests/live/triggers/calls getppid 7" 2>/dev/null | grep -x ' *7 getppid' >/dev/null || fail "examples/syscalls does not count"
E2

cat >"$TMPDIR/outside" <<'E3'
set -e
over=$1
mount -t tmpfs over "$over"
mkdir "$over"/{upper,work,root}
mount -t overlay -o "lowerdir=/,upperdir=$over/upper,workdir=$over/work" over "$over/root" || exit 77
for folder in dev proc sys; do mount --rbind "/$folder" "$over/root/$folder"; done
# what this test writes is there as well
for folder in "$SRCDIR" "$TMPDIR" "$BUILD"; do mkdir -p "$over/root$folder"; mount --bind "$folder" "$over/root$folder"; done
# systems with RPM packages look for libraries there
rpm --eval %_libdir >"$over/root/etc/ld.so.conf.d/rpm-test.conf"
mkdir "$TMPDIR/run"
# where dpkg installs packages rpm knows none of them
unknown=
! command -v dpkg >/dev/null || unknown=--nodeps
packages() { rpm --root "$over/root" "$@" 2>"$TMPDIR/rpm.log" || { cat "$TMPDIR/rpm.log"; return 1; }; }
packages $unknown -i "$TMPDIR"/rpm/RPMS/*/*.rpm
packages $unknown -V dtrace dtrace-tools libdtrace libdtrace-devel
chroot "$over/root" bash "$TMPDIR/inside" "$TMPDIR/run"
packages -e dtrace dtrace-tools libdtrace libdtrace-devel
# what the package manager itself writes; of folders those that are named after the package
cd "$over/upper"
find . \( -path ./run -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/rpm -o -path ./root/.rpmdb -o -path ./usr/lib/sysimage -o -path ./etc/ld.so.cache \
	-o -name rpm-test.conf -o -path ".$TMPDIR" \) -prune -o \( ! -type d -o -name '*dtrace*' \) -print
E3
mkdir "$TMPDIR/over"
status=0
TMPDIR=$TMPDIR unshare -m bash "$TMPDIR/outside" "$TMPDIR/over" >"$TMPDIR/left" 2>&1 || status=$?
[[ $status != 77 ]] || { echo "skip: no overlay file systems"; exit 77; }
[[ $status == 0 && ! -s $TMPDIR/left ]] || { echo "status $status; left:"; cat "$TMPDIR/left"; exit 1; }
