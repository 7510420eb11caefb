#!/usr/sbin/dtrace -s
/*
 * Time off a CPU: sched:::off-cpu and on-cpu, thread-local times, the next thread as args[0].
 * @trigger sched sleep 20 5
 * @args -q
 * @filter '/^(sleeper|change-pri|slept|migrate|sched) /d'
 * @ref providers 7 off-cpu on-cpu
 */

#pragma D option quiet

sched:::off-cpu
/pid == $target && curlwpsinfo->pr_state != SRUN/
{
	self->off = timestamp;
	towards[args[0]->pr_lwpid == tid ? "itself" : "others"]++;
}

sched:::on-cpu
/self->off/
{
	this->ms = (timestamp - self->off) / 1000000;
	self->off = NULL;
}

sched:::on-cpu
/this->ms >= 15 && pid == $target/
{
	naps++;
	@["the shortest nap, of ten milliseconds:"] = min(this->ms / 10 >= 2 ? 2 : this->ms / 10);
}

dtrace:::END
{
	printf("%s, %d by itself\n", naps >= 4 ? "naps" : "too few", towards["itself"]);
	printa("%s %@d\n", @);
}
