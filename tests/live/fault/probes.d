/*
 * Faults in every kind of probe: system calls, profile, tick, END; arg1 and arg2 are the two halves of the clause's epid,
 * and the clauses behind run.
 * @trigger paced 40 10000
 * @stderr
 * @filter 's/probe ID [0-9]+ /probe ID N /; s/: 0 [0-9]+ -1/: 0 N -1/'
 * @sort
 * @ref d-language 22 error-probes-at-once one-line goes-on
 * @ref d-language 22.2 arg0 arg1-probe arg2-clause arg3-pc arg4-code arg5-value epid
 * @ref d-language 22.3 form address
 * @ref d-errors 4 shape phrases in-quiet-mode
 */
#pragma D option quiet

BEGIN { zero = 0; fired = 0; ticked = 0; profiled = 0; }

syscall::getppid:entry
/pid == $target && fired == 0/
{
	fired = 1;
	self->seen = epid;
	trace(*(int *)16);
}

syscall::getppid:entry
/pid == $target && fired == 1/
{
	self->seen = epid;
	fired = 2;
	trace(1 / zero);
}

syscall::getppid:return
/pid == $target && fired == 2/
{
	self->seen = epid;
	fired = 3;
	trace(curthread->comm[fired * 7]);
}

profile-97 /cpu == 0 && !profiled++/ { self->seen = epid; trace(copyinstr(0)); }
tick-10ms /!ticked++/ { self->seen = epid; trace(1 % zero); }
END { self->seen = epid; this->p = alloca(200); this->p = alloca(200); }
END { printf("the end %d %d %d\n", fired, ticked > 0, profiled > 0); }

ERROR
{
	printf("clause %d: %d %d %d, code %d value %d, of %s\n", arg2, arg0, arg1, arg3, arg4, arg5, probename);
}

ERROR
/arg1 != self->seen >> 32 || arg2 != (int)self->seen/
{
	printf("clause %d: epid %x\n", arg2, self->seen);
}
