/*
 * A program's struct has the name of one of the kernel's: each is what it is where it stands.
 * @ref providers 15
 * @trigger dwarf_requests
 */
#pragma D option quiet

pid$target:a.out:collide:entry
{
	printf("%d %d\n", args[0]->here, args[0]->next->here);
	printf("%s %d\n", stringof(args[1]->comment), args[1]->pid);
	printf("%d\n", curthread->pid == tid);
	print(*args[0]->next);
	printf("%d %d\n", sizeof(*args[0]), sizeof(struct list_head));
	printf("%d\n", ((struct task_struct *)curthread)->pid == tid);
}
