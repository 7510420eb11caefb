/*
 * Names: letters, digits and _; a bare @ is the aggregation @_; words of the language as members; a name
 * that is a variable and a type.
 * @ref d-language 1.4 letters-and-digits aggregation-names bare-aggregation reserved-as-members
 * @ref d-language 1.9 variable-before-type type-in-expression tags outer-type-or-probe
 * @ref d-language 7.2 same-type
 * @ref d-language 8.2 aggregation-created
 */
#pragma D option quiet

u32 * p;
u8*q;
pid_t r;
int same, same;
int same;
self string thread;
self string thread;
int array[int, string];
int array[int, string];

BEGIN
{
	_ = 1;
	_x1 = 2;
	Ab_9Z = 3;
	printf("%d %d %d\n", _, _x1, Ab_9Z);
	printf("%d\n", offsetof(struct device_driver, probe) == (uintptr_t)&((struct device_driver *)0)->probe);
}

BEGIN
{
	u64 = 7;
	printf("%d\n", u64 + 1);
	u64++;
	printf("%d\n", u64);
	task_struct = 1;
	printf("%d %d\n", task_struct, sizeof(struct task_struct) > 1000);
	printf("%d %d %d\n", sizeof(u32), (u8)-1, sizeof(u16 *));
	printf("%d %d %d %d\n", sizeof(p), sizeof(*p), sizeof(q), sizeof(*q));
}

BEGIN
{
	@ = count();
	@_ = count();
	@_a1["x"] = sum(4);
	exit(0);
}
