/*
 * Types by the module that has them: structs and typedefs, in casts and sizeof; those of the program are in D.
 * @ref d-language 14 scoped-type containers
 * @ref d-language 6.2 module-qualified program-before-kernel
 */
#pragma D option quiet

struct list_head { int own; };
struct vmlinux`task_struct *t;
struct D`list_head o;

BEGIN
{
	t = curthread;
	o.own = 4;
	printf("%d %d\n", t->tgid == pid, o.own);
	printf("%d %d %d\n", sizeof(vmlinux`u32), sizeof(struct `task_struct) > 1000, sizeof(struct vmlinux`list_head));
	printf("%d %d\n", (vmlinux`u8)257, (`u16)65537);
	exit(0);
}
