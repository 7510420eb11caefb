#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A VM in mount and pid namespaces of its own, with its own /tmp: attached to, also as another user of it.
. "$SRCDIR/tests/live/java/java.inc"
command -v unshare >/dev/null && command -v setpriv >/dev/null || { echo "no unshare or setpriv"; exit 77; }
outer=

# contained COMMAND...: Calls by COMMAND, in the namespaces; $vm is its number out here
contained() {
	rm -f in
	mkfifo in
	unshare --mount --pid --fork --kill-child --mount-proc --propagation private sh -c '
		mount -t tmpfs tmpfs /tmp && mkdir /tmp/classes && cat <&3 >/tmp/classes/Calls.class && chmod 1777 /tmp &&
		chmod -R a+rX /tmp/classes && "$@" -cp /tmp/classes Calls' sh "$@" <in >vm.out 2>vm.err 3<Calls.class &
	outer=$!
	exec 9>in
	until_true grep -q ready vm.out
	vm=$(pgrep -P "$(pgrep -P "$outer")" -x java)
	[ "$vm" ] || die "no VM"
	[ "$(sed -n 's/^NSpid:.*\t//p' "/proc/$vm/status")" != "$vm" ] || die "not in a pid namespace"
}

for as in "" "setpriv --reuid 65534 --regid 65534 --clear-groups"; do
	round=0
	contained $as java
	calls 10
	before=$(ls -A /tmp | grep -c dtrace-)
	trace 'java$target:Calls:keep:entry { @[pid == $target, nspid < 100, uid] = count(); }'
	calls 1000
	finish
	expect "1 1 $([ "$as" ] && echo 65534 || echo 0) 1000"
	[ "$(ls -A /tmp | grep -c dtrace-)" = "$before" ] || die "files are left in /tmp"
	[ -z "$(ls -A "/proc/$vm/root/tmp" | grep dtrace-)" ] || die "files are left in the container"
	calls 5
	exec 9>&-
	wait "$outer"
	vm=
done
exit 0
