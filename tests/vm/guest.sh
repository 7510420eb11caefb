# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# In the guest, run by busybox: what is left of the boot, then the command; tests/vm/run puts it there.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb
b=/run/busybox
$b mkdir -p /dev/shm /dev/pts
$b ln -s /proc/self/fd /dev/fd
for n in 0:stdin 1:stdout 2:stderr; do
	$b ln -s fd/${n%:*} /dev/${n#*:}
done
$b mount -t tmpfs shm /dev/shm
$b mount -t devpts pts /dev/pts
$b mount -t tracefs trace /sys/kernel/tracing
$b mount -t debugfs debug /sys/kernel/debug
$b mount -t securityfs security /sys/kernel/security
$b mount -t bpf bpf /sys/fs/bpf
$b mount -t cgroup2 cgroup /sys/fs/cgroup
echo "+cpu +memory +pids" >/sys/fs/cgroup/cgroup.subtree_control
$b ip link set lo up
for t in 0 2 3; do
	$b stty -F /dev/ttyS$t raw -echo
done
# the host holds a file open for each that the cache knows: too many of them in the end
while $b sleep 20; do echo 2 >/proc/sys/vm/drop_caches; done &
/bin/bash /run/command </dev/null >/dev/ttyS0 2>/dev/ttyS3
status=$?
# setting a port's mode waits until it is empty
for t in 0 3; do
	$b stty -F /dev/ttyS$t raw -echo
done
echo $status >/dev/ttyS2
$b sleep 60
$b poweroff -f
