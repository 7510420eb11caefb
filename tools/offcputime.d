#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "offcputime: where threads wait, and how long"
#pragma tool param p pid "only threads of this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param u flag "only the user stack"
inline int u = 0;
#pragma tool param m time "only waits that are longer"
inline uint64_t m = 0;
#pragma tool param r int "print only so many stacks; 0: all"
inline int r = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option jstackframes=100

BEGIN
{
	printf("Microseconds off a CPU, by stack. Ends with ^C.\n");
	setopt("aggrows", lltostr(r));
}

/* the stack is that of the thread that leaves; it cannot be read when it comes back */
sched:::off-cpu
/pid && (!p || pid == p) && (n == "" || execname == n)/
{
	self->user = jstack();
	self->kernel = stack();
	self->since = timestamp;
}

sched:::on-cpu
/self->since && !u && timestamp - self->since >= m/
{
	@[execname, self->kernel, self->user] = sum((timestamp - self->since) / 1000);
}

sched:::on-cpu
/self->since && u && timestamp - self->since >= m/
{
	@user[execname, self->user] = sum((timestamp - self->since) / 1000);
}

sched:::on-cpu
/self->since/
{
	self->since = 0;
	self->user = 0;
	self->kernel = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
