/*
 * Types of a module by name: tags and typedefs.
 * @ref d-language 14 scoped-type
 * @ref d-language 6.2 module-qualified
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", sizeof(struct vmlinux`task_struct) == sizeof(struct task_struct), sizeof(vmlinux`u32));
	printf("%d\n", ((struct vmlinux`task_struct *)curthread)->tgid == pid);
	printf("%d %d\n", sizeof(struct `list_head), (vmlinux`u8)-1);
	exit(0);
}
