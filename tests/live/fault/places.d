/*
 * A fault wherever an expression may stand: keys, values, predicates, operands, conditions, arguments of subroutines
 * and actions.  What is not evaluated does not fault, nor does sizeof.
 * @filter 's/(clause 15 .*value) [0-9]+/\1 PID/'
 * @ref d-language 22 goes-on
 * @ref d-language 22.1 badaddr
 * @ref d-language 22.2 arg2-clause arg5-value
 * @ref d-language 11.1 fault-address chains
 * @ref d-language 5.5 short-circuit one-branch
 */
#pragma D option quiet

string null;

BEGIN { null = NULL; one = 1; }
BEGIN { @a[*(int *)16] = count(); }
BEGIN { @b = sum(*(int *)20); }
BEGIN { printf("%d %s", 3, stringof((char *)24)); }
BEGIN { q[*(int *)28] = 4; }
BEGIN { self->z = *(int *)32; }
BEGIN { q[1] += 1 + *(long *)40; }
BEGIN / *(int *)44 / { trace(1); }
BEGIN { x = *(int *)48 ? 1 : 2; }
BEGIN { x = one && *(int *)52; }
BEGIN { tracemem(56, 8); }
BEGIN { x = strlen(*(char **)64) != 0; }
BEGIN { print(*(struct list_head *)72); }
BEGIN { x = *(struct list_head **)80 == 0; }
BEGIN { x = inet_ntoa((uint32_t *)88) != ""; }
BEGIN { x = ((struct task_struct *)0)->pid; }
BEGIN { x = ((struct list_head *)0)[2].prev != 0; }
BEGIN { x = -*(int *)96; }
BEGIN { x = (int)*(char *)97; }
BEGIN { x = strjoin("a", stringof((char *)104)) == "a"; }
BEGIN { x = **(int **)112; }
BEGIN { q[1] = q[2] = *(int *)116; }
BEGIN { trace((*(int *)120, 1)); }
BEGIN { null[3] == 'a' ? 1 : 2; }
BEGIN { x = stringof(null + 9) == ""; }
BEGIN { x = *(int *)-8; }

BEGIN
{
	x = !one && *(int *)8;
	x = one || *(int *)8;
	x = one ? 7 : *(int *)8;
	printf("none: %d %d %d\n", x, sizeof(*(int *)8), &((struct task_struct *)0)->pid == (pid_t *)offsetof(struct task_struct, pid));
	exit(0);
}

ERROR { printf("clause %d code %d value %d\n", arg2, arg4, arg5); }
