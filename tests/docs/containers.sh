#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/containers.md with cgroup2 mounted as the page assumes, and compares their output: see tour.sh.
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
[[ -n ${PAGE:-} ]] || PAGE=containers.md exec unshare -m "$0" "$@"
mount -t cgroup2 none /sys/fs/cgroup || { echo "cannot mount cgroup2"; exit 77; }
before=$(cd /sys/fs/cgroup && ls)
"${0%/*}/tour.sh" "$@"
status=$?
for d in /sys/fs/cgroup/{docker-4c01db0b339c*,lxc.payload.web}; do
	[[ " "$before" " == *" ${d##*/} "* ]] || rmdir "$d"
done
exit $status
