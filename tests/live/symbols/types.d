/*
 * Types by the module that has them: structs and typedefs, in casts and sizeof; those of the program are in D.
 * @ref d-language 14 scoped-type containers
 * @ref d-language 6.2 module-qualified program-before-kernel
 */
#pragma D option quiet

typedef struct { int a; char b; } mine;
struct task_struct { int own; };
struct vmlinux`task_struct *t;
struct D`task_struct o;

BEGIN
{
	t = curthread;
	o.own = 4;
	printf("%d %d\n", t->tgid == pid, o.own);
	printf("%d %d %d\n", sizeof(vmlinux`u32), sizeof(struct `task_struct) > 1000, sizeof(D`mine));
	printf("%d %d\n", (vmlinux`u8)257, (`u16)65537);
	exit(0);
}
