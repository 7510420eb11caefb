/*
 * Functions of the kernel as symbols: the address, by itself and by &, with and without the module, as an initial value of
 * a pointer, as a number and with sym(); a D variable may have the same name.
 * @ref d-language 14 kernel-symbol module-symbol address function no-bare-names
 * @ref d-language 12 function-symbol
 * @ref d-language 9.4 scalars
 */
#pragma D option quiet

int schedule;

BEGIN
{
	schedule = 3;
	printf("%d %d\n", schedule, &`schedule != NULL);
	printf("%d %d\n", &vmlinux`schedule == &`schedule, (uint64_t)`schedule == (uint64_t)&`schedule);
	this->p = &`schedule;
	printf("%d %d\n", this->p == &`schedule, sizeof(this->p));
	printf("%d %d\n", (uint64_t)`schedule >= 0xffffffff80000000, (uint64_t)&`schedule == (uint64_t)&`kfree);
	printf("%d %d\n", sizeof(`schedule) > 0, sizeof(`schedule) < 4096);
	/* its code can be read: the bytes are not all the same */
	this->c = (unsigned char *)&`schedule;
	printf("%d\n", *(uint64_t *)this->c != 0);
	sym((uintptr_t)&`schedule);
	printf("\n");
	sym((uintptr_t)&`schedule + sizeof(`schedule) - 1);
	printf("\n");
	func((uintptr_t)`kfree);
	mod((uintptr_t)`kfree);
	printf("\n");
	exit(0);
}
