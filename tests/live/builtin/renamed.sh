#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# execname and pr_fname are the name that exec gave to a process, though its first thread has another one now: of a process that was
# renamed before tracing or meanwhile, of a script, of children of a thread with another name, in keys, comparisons and short strings,
# with long paths and without a slash, and of another task.  After the next exec they are the name that this one gave.
# @ref d-builtins 1 execname
. "$SRCDIR/tests/live/buffers/lib.sh"
mkdir -p "a folder with a long name that goes on" || exit 1
cat >first.c <<'E'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
static char **args;
static void child(void)
{
	if (!fork()) {
		getppid();
		if (args[1])
			execvp(args[1], args + 1);
		_exit(0);
	}
	wait(NULL);
}
static void *work(void *arg)
{
	prctl(PR_SET_NAME, "worker");
	child();
	getppid();
	return arg;
}
int main(int n, char **v)
{
	pthread_t t;
	char c;

	args = v;
	getppid();
	prctl(PR_SET_NAME, "MainThread");
	if (n > 1 && !strcmp(v[1], "wait")) {
		write(1, "!", 1);
		read(0, &c, 1);
		v[1] = NULL;
	}
	getppid();
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	getppid();
	return 0;
}
E
gcc -O1 -pthread -o first first.c || exit 1
ln -f first second_with_long_name && cp first "a folder with a long name that goes on/in it" || exit 1
cat >script <<'E'
#!/usr/bin/python3
import os
open("/proc/self/comm", "w").write("elsewhere")
os.getppid()
E
chmod +x script
count='syscall::getppid:entry /progenyof($target)/ { @[execname, curpsinfo->pr_fname, threadname] = count(); }
	END { printa("%s|%s|%s %@d\n", @); }'

# renamed while it is traced; then another program in the child
try -c "./first ./second_with_long_name" -n "$count"
quiet "meanwhile"
expect "meanwhile" "$(sort out.txt | grep .)" "first|first|MainThread 2
first|first|first 1
first|first|worker 2
second_with_lon|second_with_lon|MainThread 2
second_with_lon|second_with_lon|second_with_lon 1
second_with_lon|second_with_lon|worker 2"

# found in the PATH, a path with blanks that is longer than what is read of it, and a script
PATH=$PWD:$PATH try -c first -n "$count"
expect "PATH" "$(cut -d'|' -f1,2 out.txt | grep . | sort -u)" "first|first"
try -c "./first '$PWD/a folder with a long name that goes on/in it'" -n "$count"
expect "folder" "$(cut -d'|' -f1,2 out.txt | grep . | sort -u)" "first|first
in it|in it"
try -c ./script -n "$count"
expect "script" "$(sort out.txt | grep .)" "script|script|elsewhere 1"

# renamed before tracing began
mkfifo go
exec 9<>go
./first wait <&9 >ready &
pid=$!
until [ -s ready ]; do sleep 0.01; done
"$DTRACE" -qn 'BEGIN { system("echo > go"); }
	syscall::getppid:entry /pid == $1 && execname == "first"/ { @a[curpsinfo->pr_fname, curpsinfo->pr_psargs] = count(); }
	syscall::getppid:entry /pid == $1 && execname == "MainThread"/ { @b["wrong"] = count(); }
	syscall::exit_group:entry /pid == $1/ { exit(0); }
	END { printa("%s|%s %@d\n", @a); printa("%s %@d\n", @b); }' -w $pid >out.txt 2>err.txt
wait $pid
expect "before" "$(grep . out.txt)" "first|./first wait 3"

# short strings, JSON, and another task: one that was seen
try -x strsize=4 -c ./first -n 'syscall::getppid:entry /pid == $target/ { @[execname] = count(); } END { printa("%s %@d\n", @); }'
expect "short" "$(grep . out.txt)" "firs 4"
try -c ./first --output=json:out.json -n 'syscall::getppid:entry /pid == $target/ { trace(tid); }'
expect "JSON" "$(grep -o '"execname":"[a-zA-Z]*"' out.json | sort | uniq -c | awk '{ print $1, $2 }')" '4 "execname":"first"'
try -c ./first -n 'syscall::getppid:entry /pid == $target/ { @a[execname] = count(); }
	sched:::wakeup /args[1]->pr_pid == $target && args[1]->pr_fname != "first"/ { @b[args[1]->pr_fname] = count(); }
	END { printa("%s\n", @a); printa("other %s\n", @b); }'
expect "another" "$(grep -v 'other first' out.txt | grep .)" "first"
exit $bad
