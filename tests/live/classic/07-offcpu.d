#!/usr/sbin/dtrace -s
/*
 * Time off a CPU in each nap: sched:::off-cpu and on-cpu, thread-local times, the next thread as args[0].
 * @trigger sched sleep 20 5
 * @args -q
 * @filter '/^(sleeper|change-pri|slept|migrate|sched) /d'
 * @ref providers 7 off-cpu on-cpu
 */

#pragma D option quiet

self uint64_t slept;

sched:::off-cpu
/pid == $target && curlwpsinfo->pr_state != SRUN/
{
	self->off = timestamp;
	towards[args[0]->pr_lwpid == tid ? "itself" : "others"]++;
}

/* a nap on a busy machine: the thread may lose its CPU between the call for a timer and its sleep */
sched:::on-cpu
/self->off/
{
	self->slept += timestamp - self->off;
	self->off = NULL;
}

syscall::clock_nanosleep:return
/pid == $target && self->slept/
{
	naps++;
	@["the shortest nap, of ten milliseconds:"] = min((self->slept + 5000000) / 10000000 >= 2 ? 2 : self->slept / 10000000);
	self->slept = 0;
}

dtrace:::END
{
	printf("%s, %d by itself\n", naps >= 4 ? "naps" : "too few", towards["itself"]);
	printa("%s %@d\n", @);
}
