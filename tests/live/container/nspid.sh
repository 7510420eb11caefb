#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# nspid, against NStgid of /proc/PID/status; --pid-namespace: only what runs in the namespace and below it.
. "${0%/*}/lib.sh"

# one line for each call: the name, the initial and the innermost number of NStgid
cat >inner.sh <<'W'
status() {
	local key first rest
	while read -r key first rest; do
		[[ $key != NStgid: ]] || echo "$1 $first ${rest##*[[:space:]]}"
	done </proc/self/status
}
where=$1 depth=$2
kill -0 $$
status "$where" >>want
((depth == 0)) || unshare -pf bash inner.sh "$where" $((depth - 1))
:
W
got=$("$DTRACE" -qc "bash inner.sh all 3" -n "$KILL"'/ { printf("all %d %d\n", pid, nspid); }') || exit 1
# a process of the initial namespace has one number
expect "nspid" "$got" "$(awk 'NF == 2 { $3 = $2 } 1' want)"
expect "levels" "$(wc -l <want)" 4
expect "inner numbers" "$(tail -n 3 want | cut -d ' ' -f 3 | tr '\n' ' ')" "1 1 1 "

# a thread's is its process's
cc -o threads -pthread -x c - <<'C' || exit 1
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void *thread(void *arg)
{
	kill(getpid(), 0);
	return arg;
}
int main(void)
{
	pthread_t t;
	return pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL);
}
C
got=$("$DTRACE" -qc "unshare -pf ./threads" -n "$KILL"'/ { printf("%d %d", nspid, pid == tid); }') || exit 1
expect "thread" "$got" "1 0"

# two namespaces side by side; the second is the one that is asked for
mkfifo go.1 go.2 done.1 done.2
cat >waiting.sh <<'W'
read -r outer rest </proc/self/stat
echo "$outer" >pid.$1.new
mv pid.$1.new pid.$1
read -r <go.$1
kill -0 $$
unshare -pf bash -c 'kill -0 $$; kill -0 $$; :'
kill -0 $$
echo >done.$1
read -r <go.$1
W
unshare -pf bash waiting.sh 1 &
unshare -pf bash waiting.sh 2 &
until [[ -e pid.1 && -e pid.2 ]]; do sleep 0.01; done
cat >drive.sh <<'W'
kill -0 $$
for i in 1 2; do
	echo >go.$i
	read -r <done.$i
done
kill -0 $$
W
got=$("$DTRACE" -qc "bash drive.sh" --pid-namespace "$(<pid.2)" -n "
	BEGIN { printf(\"begin\n\"); }
	syscall::kill:entry /arg1 == 0/ { @[pid == $(<pid.2), nspid] = count(); }
	tick-1ms { ticks = 1; }
	END { printf(\"end\n\"); printa(\"%d %d %@d\n\", @); }")
expect "filter" "$got" "begin
end
0 1 2
1 1 2"

# the initial namespace has everything
if [[ $(readlink /proc/self/ns/pid) == 'pid:[4026531836]' ]]; then
	got=$("$DTRACE" -qc "bash inner.sh all 1" --pid-namespace $$ -n "$KILL"'/ { @ = count(); }' | tr -d ' \n')
	expect "the initial one" "$got" 2
fi
for i in 1 2; do
	echo >go.$i
done
wait
finish
