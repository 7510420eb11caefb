#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# execname is the name of the process, whatever its threads are called; threadname is that of the thread. In keys, strings, comparisons,
# short strings, records of JSON, and where a probe is about another task.
# @ref d-builtins 1 execname
. "$SRCDIR/tests/live/buffers/lib.sh"
cat >pool.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
static pthread_barrier_t all;
static void *work(void *arg)
{
	char name[16];

	snprintf(name, sizeof(name), "worker-%d", *(int *)arg);
	prctl(PR_SET_NAME, name);
	pthread_barrier_wait(&all);
	for (int i = 0; i < 10; i++) {
		getppid();
		usleep(1000);
	}
	return NULL;
}
int main(void)
{
	int n[] = {1, 2, 3};
	pthread_t t[3];

	pthread_barrier_init(&all, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, &n[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 10; i++)
		getppid();
	return 0;
}
END
gcc -O1 -pthread -o pool pool.c || exit 1
try -c ./pool -n '
	syscall::getppid:entry /execname == "pool" && pid == $target/ { @a[execname, threadname] = count(); }
	syscall::getppid:entry /threadname == "worker-2" && pid == $target/ { @b[strjoin(execname, "!"), strjoin(threadname, "!")] = count(); }
	syscall::getppid:entry /pid == $target && threadname != execname/ { @c["others"] = count(); }
	sched:::on-cpu /pid == $target && threadname == "worker-3"/ { @d[execname] = count(); }
	END { printa("%s %s %@d\n", @a); printa("%s %s %@d\n", @b); printa("%s %@d\n", @c); printa("%s 1\n", @d); }'
quiet "threads"
expect "threads" "$(sort out.txt | grep .)" "others 30
pool 1
pool pool 10
pool worker-1 10
pool worker-2 10
pool worker-3 10
pool! worker-2! 10"
try -x strsize=4 -c ./pool -n 'syscall::getppid:entry /pid == $target/ { @a[execname, threadname] = count(); } END { printa("%s %s %@d\n", @a); }'
expect "short" "$(sort out.txt | grep .)" "pool pool 10
pool work 30"
try -c ./pool --output=json:out.json -n 'syscall::getppid:entry /pid == $target/ { trace(tid); }'
expect "JSON: process" "$(grep -o '"execname":"pool"' out.json | wc -l)" 40
expect "JSON: threads" "$(grep -o '"threadname":"worker-[123]"' out.json | sort | uniq -c | awk '{ print $1 }' | xargs)" "10 10 10"
exit $bad
