/*
 * Kernel functions by backquote: address, size, module.
 * @ref d-language 14 kernel-symbol module-symbol address function
 * @ref d-language 12 function-symbol
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", &`schedule == &vmlinux`schedule, (uintptr_t)&`schedule > 0);
	printf("%a %d\n", &`schedule, sizeof(`schedule) > 16);
	printf("%d\n", (uintptr_t)`schedule == (uintptr_t)&`schedule);
	sym((uintptr_t)&`schedule + 1);
	printf("\n");
	exit(0);
}
