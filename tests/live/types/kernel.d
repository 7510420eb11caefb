/*
 * Types of the kernel, by plain and by scoped names; a struct of the program hides the kernel's, which its scoped
 * name still reaches.
 * @ref d-language 6.1 kernel-types
 * @ref d-language 6.2 program-before-kernel module-qualified
 * @ref d-language 14 scoped-type containers
 * @ref d-language 12 offsetof
 */
#pragma D option quiet

struct list_head {
	int mine;
	struct list_head *own;
};
struct list_head l;
struct `task_struct *anywhere;
struct vmlinux`task_struct *kernels;
struct D`list_head *ours;

BEGIN
{
	printf("%d %d\n", sizeof(struct list_head), offsetof(struct list_head, own));
	printf("%d %d\n", sizeof(struct D`list_head), sizeof(struct vmlinux`list_head));
	l.mine = 5;
	ours = 0;
	printf("%d %d\n", l.mine, offsetof(struct vmlinux`list_head, prev));
	anywhere = curthread;
	kernels = anywhere;
	printf("%d %d\n", anywhere->pid == curthread->pid, kernels->tgid == pid);
	printf("%d\n", ((struct vmlinux`task_struct *)curthread)->tgid == pid);
	printf("%d\n", sizeof(struct task_struct) == sizeof(*curthread));
	printf("%d\n", offsetof(struct task_struct, pid) == (uint64_t)&curthread->pid - (uint64_t)curthread);
	exit(0);
}
