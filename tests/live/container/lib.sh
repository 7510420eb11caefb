# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of containers share.  Each runs again in a mount namespace of its own; there cgroups() mounts the
# control groups, of which those below $groups are ours.
# Where scripts are to be seen they send themselves signal 0: KILL traces that.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
[[ -n ${CONTAINER_TEST:-} ]] || CONTAINER_TEST=1 exec unshare -m "$0" "$@"

failures=0
KILL='syscall::kill:entry /progenyof($target) && arg1 == 0'

cgroups() { # NAME...
	local g
	mount_point=$PWD/cgroup2
	mkdir "$mount_point"
	mount -t cgroup2 none "$mount_point" || { echo "cannot mount cgroup2"; exit 77; }
	group=dtrace-test-$$
	groups=$mount_point/$group
	trap remove_cgroups EXIT
	for g; do
		mkdir -p "$groups/$g" || exit 1
	done
}

remove_cgroups() {
	local i
	echo $$ >"$mount_point/cgroup.procs"
	for ((i = 0; i < 50; i++)); do # a process that has just ended may still be there
		find "$groups" -depth -type d -exec rmdir {} \; 2>/dev/null
		[[ -e $groups ]] || return
		sleep 0.1
	done
	echo "$groups is left"
}

expect() { # WHAT GOT WANT
	[[ $2 == "$3" ]] && return
	failures=$((failures + 1))
	printf '%s, got:\n[%s]\nexpected:\n[%s]\n' "$@"
}

finish() { exit $((failures != 0)); }
