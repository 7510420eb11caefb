#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtrace in a pid namespace: pids are as they are seen there, 0 where they are not; $target, -p and progenyof() agree.
# @ref d-builtins 1 pid ppid tid; d-builtins 3.4 progenyof; providers 18.1 pr_ppid
# @timeout 60
. "${0%/*}/lib.sh"

cat >self.sh <<'W'
read -r pid comm state ppid pgid sid rest </proc/self/stat
kill -0 $$
echo "$pid $pid $ppid $pid $ppid $pid $pgid $sid 1" >>want
W
cat >self.d <<'W'
syscall::kill:entry
/progenyof($target) && arg1 == 0/
{
	printf("%d %d %d %d %d %d", pid, tid, ppid, curpsinfo->pr_pid, curpsinfo->pr_ppid, curlwpsinfo->pr_lwpid);
	printf(" %d %d %d\n", curpsinfo->pr_pgid, curpsinfo->pr_sid, pid == $target);
}
W
inside() { unshare -mpf --mount-proc "$@"; }
for how in "" inside "inside unshare -mpf --mount-proc"; do
	rm -f want
	got=$($how "$DTRACE" -qs self.d -c "bash self.sh")
	expect "pids ($how)" "$got" "$(<want)"
done
# setsid: its own group and session; and a namespace below ours
rm want
got=$(inside "$DTRACE" -qs self.d -c "setsid -w bash self.sh")
expect "session" "$got" "$(<want)"
got=$(inside "$DTRACE" -qc "unshare -pf bash self.sh" -n "$KILL"'/ { printf("%d %d %d", pid == $target, ppid == $target, nspid); }')
expect "below" "$got" "0 1 1"

# those outside are not seen: they have no pid
cat >outside.sh <<'W'
exec -a dt-outside bash -c 'printf dt-outside >/proc/self/comm; until [[ -e stop ]]; do kill -0 $$; sleep 0.01; done'
W
bash outside.sh &
got=$(inside "$DTRACE" -qn 'syscall::kill:entry /threadname == "dt-outside"/ {
	printf("%d %d %d %d %d %d", pid, tid, ppid, curpsinfo->pr_pid, curlwpsinfo->pr_lwpid, progenyof(0)); exit(0); }')
touch stop
wait
expect "outside" "$got" "0 0 0 0 0 0"

# -p, and the symbols of a process there
cc -O1 -fno-omit-frame-pointer -o frames "$SRCDIR/tests/live/triggers/frames.c" || exit 1
mkfifo go
cat >grab.sh <<'W'
bash -c 'read -r <go; kill -0 $$' & pid=$!
"$DTRACE" -qp $pid -wn 'tick-10ms /!told++/ { system("echo >go"); } syscall::kill:entry /pid == $target && arg1 == 0/ { printf("%d", $target == '$pid'); }'
wait
W
expect "-p" "$(inside bash grab.sh)" "1"
got=$(inside "$DTRACE" -qc './frames 1' -n 'syscall::getppid:entry /pid == $target && n++ == 0/ { ufunc(ucaller); }' | tr -d ' ')
expect "symbols" "$got" 'frames`middle'
finish
