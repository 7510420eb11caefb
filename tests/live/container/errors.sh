#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Filters that cannot be: what is said about them.
. "${0%/*}/lib.sh"

refused() { # TEXT OPTIONS...
	local want=$1 got status=0
	shift
	got=$("$DTRACE" -q "$@" -n 'BEGIN { exit(0); }' 2>&1) || status=$?
	expect "$*" "$status: $got" "1: dtrace: $want"
}

cgroups there
here=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/self/mounts | head -n 1)
refused "could not enable tracing: option cgroup: there is no control group no/such: neither this directory nor $here/no/such" --cgroup no/such
refused "could not enable tracing: option cgroup: there is no control group /no/such: neither this directory nor $here/no/such" -x cgroup=/no/such
mkdir plain
refused "could not enable tracing: option cgroup: plain is not a control group's directory (of cgroup2)" --cgroup plain
refused "could not enable tracing: option cgroup: $groups/there/cgroup.procs is not a control group's directory (of cgroup2)" --cgroup "$groups/there/cgroup.procs"
refused "could not enable tracing: option pidns: there is no process 4194305" --pid-namespace 4194305
refused "could not enable tracing: option pidns: there is no process 0" -x pidns=0
refused "failed to set --pid-namespace=init: Invalid value for specified option" --pid-namespace init
refused "failed to set -x cgroup: Invalid value for specified option" -x cgroup

# a name is below the root of the groups; a container's mount of its own group, which comes first here, is tried after that
group=${groups#"$mount_point"/}
mkdir -p "$groups/box/$group/web" "$groups/box/inner" "$groups/web" "a mount" whole
printf '%s\n' '#pragma tool param in cgroup "a group"' 'inline uint64_t in = 0;' '#pragma D option quiet' \
	'BEGIN { printf("%d", in); exit(0); }' >group.d
got=$(unshare -m bash -c 'mount --bind "$1/box" "a mount" || exit
	sed -n "s/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p" /proc/self/mounts | grep -v mount$ | xargs -n 1 umount -l
	mount -t cgroup2 none whole || exit
	for name in "$2/web" "/$2/web" inner; do "$DTRACE" -s group.d --in "$name" 2>&1; done
	"$DTRACE" -q --cgroup no/such -n BEGIN 2>&1' bash "$groups" "$group")
expect "groups by their names" "$got" "$(stat -c %i "$groups/web" "$groups/web" "$groups/box/inner" )
dtrace: could not enable tracing: option cgroup: there is no control group no/such: neither this directory nor $PWD/whole/no/such"

# no cgroup2 is mounted: the built-ins are there, the filter is not
sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/self/mounts >mounts
got=$(unshare -m bash -c 'while read -r m; do umount -l "$m" || exit 1; done <mounts
	! grep " cgroup2 " /proc/self/mounts || exit 1
	"$DTRACE" -qn "BEGIN { printf(\"%d [%s] %s\", cgroupid != 0, container, cgroup); exit(0); }"
	"$DTRACE" -q --cgroup web -n BEGIN 2>&1')
expect "without cgroup2" "$got" "1 [] $(sed -n 's/^0:://p' /proc/self/cgroup)
dtrace: could not enable tracing: option cgroup: web is no control group: no cgroup2 file system is mounted (mount -t cgroup2 none /sys/fs/cgroup)"
finish
