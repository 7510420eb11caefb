#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cgroup, cgroupid and container in cgroups whose names are those that container runtimes give; against /proc/self/cgroup
# and the directory's inode number.
. "${0%/*}/lib.sh"

id=0123456789abcdef00112233445566778899aabbccddeeff0011223344556677
other=fedcba98765432100011223344556677889900aabbccddeeff00112233445566
names="docker-$id.scope 0123456789ab
docker-$id.scope/init.scope 0123456789ab
docker/$id 0123456789ab
docker/$id/docker/$other fedcba987654
nerdctl-$id.scope 0123456789ab
libpod-$id.scope/container 0123456789ab
crio-$id.scope 0123456789ab
kubepods.slice/kubepods-besteffort-podab12.slice/cri-containerd-$id.scope 0123456789ab
kubepods/burstable/pod12-34/$id 0123456789ab
kubelet.slice:cri-containerd:$id 0123456789ab
docker-0123456789ab 0123456789ab
lxc.payload.web1 web1
lxc.payload.web1/system.slice/ssh.service web1
lxc/db db
lxc.payload/cache/ns cache
. -
system.slice/docker.service -
docker-0123456789a.scope -
docker-0123456789AB.scope -
docker-xyz456789abc.scope -
libpod-conmon-$id.scope -
crio-conmon-$id.scope -
lxc.monitor.web1 -
lxc.payload. -
${id%7} -
${id%7}g -
8$id -
x$id -
kubepods/burstable/pod12-34 -"

mapfile -t groups_of < <(sed 's/ .*//' <<<"$names")
cgroups "${groups_of[@]}"

# what /proc and the directories say; the script stays in each while it is seen
cat >walk.sh <<'W'
while read -r g container; do
	echo $$ >"$1/$g/cgroup.procs" || exit 1
	read -r line </proc/self/cgroup
	while [[ $line != 0::* ]] && read -r line; do :; done < <(cat /proc/self/cgroup)
	kill -0 $$
	echo "${line#0::} $(stat -c %i "$1/$g") [${container#-}]" >>want
done <names
W
echo "$names" >names
got=$("$DTRACE" -x strsize=1024 -qc "bash walk.sh $groups" -n "$KILL"'/ { printf("%s %d [%s]\n", cgroup, cgroupid, container); }') || exit 1
expect "names" "$got" "$(<want)"
[[ $(wc -l <want) == "$(wc -l <names)" ]] || expect "lines" "$(wc -l <want)" "$(wc -l <names)"

# a short strsize cuts them
echo "docker-$id.scope -" >names
got=$("$DTRACE" -x strsize=10 -qc "bash walk.sh $groups" -n "$KILL"'/ { printf("%s %s\n", cgroup, container); }') || exit 1
expect "short" "$got" "/dtrace-te 0123456789"

# as keys, and compared
echo "docker-$id.scope -" >names
echo "lxc/db -" >>names
got=$("$DTRACE" -qc "bash walk.sh $groups" -n "$KILL"'/ { @[container, execname] = count(); }
	'"$KILL"'/ { last = container; }
	'"$KILL && container == \"db\" && cgroup == \"/$group/lxc/db\""'/ { printf("%s, %d\n", last, strlen(container)); }' |
	sed 's/^ *//; s/  */ /g; /^$/d') || exit 1
expect "keys" "$got" "db, 2
0123456789ab bash 1
db bash 1"
finish
