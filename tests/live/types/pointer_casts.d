/*
 * Casts of and to pointers, char pointers and arrays; what is read through them.
 * @ref d-language 9.4 pointers string integer-to-pointer scalars
 * @ref d-language 9.1 compare-pointers stringof
 * @ref d-language 10.2 char-pointers
 * @ref d-language 10.5 stringof-copies
 * @ref d-language 11.1 scaled subscript
 * @ref d-language 11.2 cast-array
 */
#pragma D option quiet

BEGIN
{
	p = (int *)16;
	printf("%d %d %d\n", (int)(char *)5, (long)p, (char)(int *)0x1ff);
	printf("%d\n", *(int *)(uintptr_t)&curthread->pid == curthread->pid);
	printf("%d %d\n", (char *)curthread->comm == (char *)&curthread->comm, p == (int *)(char *)p);
	printf("%d %d\n", (string)curthread->comm == execname, (string)(char *)curthread->comm == execname);
	c = (char *)curthread->comm;
	d = c;
	printf("%d %d %d %d\n", c == d, c < d, c + 1 > d, c != d);
	printf("%d %d %d\n", (long)(p + 3), (long)(p - 3), p + 5 - p);
	printf("%d %d\n", (long)(3 + p), &p[3] == p + 3);
	printf("%d %d\n", *(c + 1) == c[1], c[1] == 't');
	/* beyond the array, but not without address */
	printf("%d\n", ((char *)curthread->comm)[16] == *(c + 16));
	exit(0);
}
