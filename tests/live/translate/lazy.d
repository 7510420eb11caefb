/*
 * Only the members that are asked for are evaluated, each time they are, and in the probe where they are.
 * A bad pointer faults when a member looks at it, not before.
 * @ref d-language 16.2 lazy fault-when-dereferenced
 * @stderr
 * @filter 's/address \(0x[0-9a-f]+\)/address (N)/'
 */
#pragma D option quiet

struct out { int count; int quotient; int pid; int constant; string name; };

int evaluated;
translator struct out < int n > { count = evaluated++; quotient = 10 / n; name = probename; };
translator struct out < struct task_struct *t > { pid = t->pid; constant = 5; };

BEGIN
{
	zero = 0;
	printf("%d %d", xlate <struct out> (zero).count, xlate <struct out> (zero).count);
	printf(" %d\n", evaluated);
	printf("%s\n", xlate <struct out> (zero).name);
	xlate <struct out> (zero);
	printf("%d\n", evaluated);
}

BEGIN { printf("never %d\n", xlate <struct out> (zero).quotient); }
BEGIN { this->q = zero ? xlate <struct out> (zero).quotient : -1; printf("%d\n", this->q); }

BEGIN
{
	this->t = (struct task_struct *)NULL;
	printf("%d\n", xlate <struct out> (this->t).constant);
	exit(0);
}

BEGIN { printf("never\n"); }
END { this->t = (struct task_struct *)NULL; printf("never %d\n", xlate <struct out> (this->t).pid); }
END { printf("%s\n", xlate <struct out> (1).name); }
ERROR { printf("ERROR %d\n", arg4); }
