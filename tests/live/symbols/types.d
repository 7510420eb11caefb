/*
 * Types by the module that has them: structs, typedefs, in declarations, casts and sizeof; those of the program are in D.
 * @ref d-language 14 scoped-type containers
 * @ref d-language 6.2 module-qualified
 */
#pragma D option quiet

typedef struct { int a; char b; } mine;
struct task_struct { int own; };
vmlinux`pid_t p;
struct vmlinux`task_struct *t;
struct D`task_struct o;
D`mine m;

BEGIN
{
	t = curthread;
	p = t->tgid;
	o.own = 4;
	m.b = 'm';
	printf("%d %d %c\n", p == pid, o.own, m.b);
	printf("%d %d %d\n", sizeof(vmlinux`u32), sizeof(struct `task_struct) > 1000, sizeof(D`mine));
	printf("%d %d\n", (vmlinux`u8)257, (`u16)65537);
	exit(0);
}
