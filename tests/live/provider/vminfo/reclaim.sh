#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vminfo:::scan, rev and dfree: pages that are looked through and freed for a control group that may have few.
# @ref providers 14 scan rev dfree
# @ref providers 14 trap
. "${0%/*}/../lib.sh"

# a mount namespace of its own
[[ ${1:-} == inside ]] || exec unshare -m "$0" inside
mount --make-rprivate / && mkdir -p groups && mount -t cgroup2 groups groups 2>err.txt || { echo "no control groups: $(<err.txt)"; exit 77; }
grep -qw memory groups/cgroup.controllers || { echo "no memory control groups"; exit 77; }
grep -qw memory groups/cgroup.subtree_control || { echo +memory >groups/cgroup.subtree_control; } 2>err.txt ||
	{ echo "memory control groups: $(<err.txt)"; exit 77; }
group=groups/dtrace-test.$$
mkdir "$group"
trap 'rmdir "$group"' EXIT
echo 16M >"$group/memory.max"

# pages of a file that can be read again, new to the page cache
if [[ $(stat -f -c %T .) == tmpfs || $(stat -f -c %T .) == overlayfs ]]; then
	# of few folders: the file system of a virtual machine keeps a descriptor of each file that was looked at, and has 20,000
	find /usr/lib/*-linux-gnu /usr/bin -maxdepth 1 -type f -size +256k -print0 2>/dev/null | head -z -n 400 >files.txt
else
	truncate -s 96M zeros
	printf 'zeros\0' >files.txt
fi
cat >reader <<EOF
#!/bin/bash
echo \$\$ >$group/cgroup.procs
xargs -0 cat <files.txt | head -c 96M >/dev/null
EOF
chmod +x reader
"$DTRACE" -q -o events.txt -c ./reader -n '
vminfo:::scan, vminfo:::rev, vminfo:::dfree /progenyof($target)/ { @[probename] = sum(arg0); @n[probename] = count(); }
END { printa("%s %@d %@d\n", @, @n); }' >out.txt 2>err.txt || complain "$(<err.txt)"
for probe in scan rev dfree; do
	read -r _ sum n < <(grep "^$probe " events.txt)
	[[ ${sum:-0} -ge 100 && ${n:-0} -ge 1 ]] || complain "$probe: ${n:-0} times, ${sum:-0} in all"
done
# a page that is freed has been looked at
scan=$(sed -n 's/^scan \([0-9]*\) .*/\1/p' events.txt) dfree=$(sed -n 's/^dfree \([0-9]*\) .*/\1/p' events.txt)
[[ ${dfree:-0} -le ${scan:-0} ]] || complain "dfree $dfree, scan $scan"
exit $bad
