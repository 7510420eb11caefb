#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The packages of make deb are clean for lintian. In a copy of this system they are installed next to systemtap-sdt-dev (or,
# where it cannot be had, a package like it), work, and leave nothing when they are removed. A file system over / takes what is written.
# @timeout 900
# @slow
[[ $(id -u) == 0 ]] || { echo "skip: needs root"; exit 77; }
for tool in dpkg-buildpackage dh lintian pkg-config unshare; do
	command -v $tool >/dev/null || { echo "skip: no $tool"; exit 77; }
done
set -e -o pipefail
. "${0%/*}/packages.sh"
packages deb
mkdir "$TMPDIR/deb"
cp "$packages"/*.deb "$TMPDIR/deb"
rm "$TMPDIR"/deb/*-dbgsym_*

# ---- another package with a command and a manual page of that name

package=systemtap-sdt-dev says='[-h | -G]'
if ! (cd "$TMPDIR" && apt-get download $package >/dev/null 2>&1 && mv ${package}_*.deb other.deb && [[ -x /usr/bin/python3 ]]); then
	package=dtrace-test-other says='the other dtrace'
	other=$TMPDIR/other
	mkdir -p "$other"/{DEBIAN,usr/bin,usr/share/man/man1,usr/share/doc/dtrace-test-other}
	echo 'dpkg forgets a package whose files are all diverted' >"$other/usr/share/doc/dtrace-test-other/note"
	printf '#!/bin/sh\necho "the other dtrace"\n' >"$other/usr/bin/dtrace"
	chmod 755 "$other/usr/bin/dtrace"
	echo '.TH DTRACE 1' | gzip -9n >"$other/usr/share/man/man1/dtrace.1.gz"
	printf '%s\n' 'Package: dtrace-test-other' 'Version: 1' 'Architecture: all' 'Maintainer: nobody <nobody@example.org>' \
		'Description: has a command dtrace' >"$other/DEBIAN/control"
	dpkg-deb -b --root-owner-group "$other" "$TMPDIR/other.deb" >/dev/null
fi

# ---- inside

cat >"$TMPDIR/inside" <<'E2'
set -e -o pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
package=$2 says=$3
fail() { echo "$*"; exit 1; }
quietly() { "$@" >log 2>&1 || { cat log; fail "failed: $*"; }; }
theirs() { # FILE: the other package's command works as FILE
	[[ $("$1" --help 2>&1) == *"$says"* ]] || fail "$1 is not the other package's"
}

if [[ $1 == first ]]; then quietly dpkg -i other.deb; theirs /usr/bin/dtrace; fi
quietly dpkg -i deb/*.deb
if [[ $1 == later ]]; then quietly dpkg -i other.deb; fi
theirs /usr/bin/dtrace.systemtap
[[ -f /usr/share/man/man1/dtrace.systemtap.1.gz ]] || fail "the other manual page was not kept"

# the command, its D libraries and its manual page
[[ $(readlink -f /usr/bin/dtrace) == /usr/sbin/dtrace ]] || fail "/usr/bin/dtrace is not ours"
[[ $(dtrace -qn 'BEGIN { printf("%d %d\n", curpsinfo->pr_pid == pid, ENOENT); exit(0); }' 2>&1) == '1 2' ]] ||
	fail "dtrace does not trace"
zcat /usr/share/man/man1/dtrace.1.gz | grep "^\.Os DTrace for Linux $(cat "$SRCDIR/VERSION")$" >/dev/null || fail "man dtrace shows another page"
for tool in "$SRCDIR"/tools/*.d; do
	[[ ! -e $tool ]] || [[ -x /usr/share/dtrace/tools/${tool##*/} ]] || fail "$tool is not installed"
done
for file in bash-completion/completions/dtrace zsh/vendor-completions/_dtrace fish/vendor_completions.d/dtrace.fish; do
	[[ -s /usr/share/$file ]] || fail "$file is not installed"
done

# what builds of programs with static probes call
mkdir inc
echo '#define NAME hit' >inc/name.h
printf '#include "name.h"\nprovider swarm { probe NAME(int); };\n' >p.d
printf '#include "p.h"\nint main(int c, char **v) { if (SWARM_HIT_ENABLED()) SWARM_HIT(c); return 0; }\n' >m.c
quietly dtrace -C -Iinc -h -s p.d -o p.h
quietly cc -c m.c -o m.o
quietly dtrace -C -I inc -G -s p.d -o p.o m.o
quietly cc m.o p.o -o m
quietly ./m
[[ $(dtrace -qn 'swarm$target:::hit { printf("%d\n", arg0); }' -c ./m 2>&1) == 1 ]] || fail "no probe in a program"
# systemtap's needs no objects
quietly dtrace -C -I inc -G -s p.d -o alone.o
quietly cc m.o alone.o -o m

# the library
quietly cc -Wall -Werror -o syscalls "$SRCDIR/examples/syscalls.c" $(pkg-config --cflags --libs libdtrace)
ldd syscalls | grep -E "=> (/usr)?/lib/$(cc -print-multiarch)/libdtrace.so.0" >/dev/null || fail "linked with another libdtrace"
./syscalls "$BUILD/tests/live/triggers/calls getppid 7" 2>/dev/null | grep -x ' *7 getppid' >/dev/null || fail "examples/syscalls does not count"

# the unit
if command -v systemd-analyze >/dev/null; then
	echo 'BEGIN { @ = count(); }' >/etc/dtrace/test.d
	said=$(systemd-analyze verify --man=no dtrace@test.service dtrace-agent.service 2>&1 | grep -F dtrace || true)
	rm /etc/dtrace/test.d
	[[ -z $said ]] || fail "systemd-analyze verify: $said"
fi

quietly dpkg -P dtrace dtrace-tools libdtrace-dev libdtrace0
theirs /usr/bin/dtrace
quietly dpkg -P $package
E2

cat >"$TMPDIR/outside" <<'E3'
set -e
over=$1 order=$2 package=$3 says=$4
mount -t tmpfs over "$over"
mkdir "$over"/{upper,work,root}
mount -t overlay -o "lowerdir=/,upperdir=$over/upper,workdir=$over/work" over "$over/root" || exit 77
for folder in dev proc sys; do mount --rbind "/$folder" "$over/root/$folder"; done
# what this test writes is there as well
for folder in "$SRCDIR" "$TMPDIR" "$BUILD"; do mkdir -p "$over/root$folder"; mount --bind "$folder" "$over/root$folder"; done
chroot "$over/root" bash -c "cd '$TMPDIR' && mkdir '$order' && cp -r deb other.deb '$order' && cd '$order' && bash ../inside $order $package '$says'"
# what the package manager itself writes; folders count if they were not there.  Purging takes folders that dtrace made
# here before, which a character device says in overlayfs
cd "$over/upper"
find . \( -path ./run -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/dpkg -o -path ./etc/ld.so.cache -o -path ".$TMPDIR" \) -prune \
	-o \( -type c \( -path ./var/lib/dtrace -o -path ./var/spool/dtrace \) \) \
	-o \( ! -type d -o -exec sh -c '[ ! -d "/$1" ]' sh {} \; \) -print
E3
mkdir "$TMPDIR/over"
for order in first later; do
	status=0
	TMPDIR=$TMPDIR unshare -m bash "$TMPDIR/outside" "$TMPDIR/over" $order $package "$says" >"$TMPDIR/left" || status=$?
	[[ $status != 77 ]] || { echo "skip: no overlay file systems"; exit 77; }
	[[ $status == 0 && ! -s $TMPDIR/left ]] || { echo "status $status; the other package is installed $order; left:"; cat "$TMPDIR/left"; exit 1; }
done
