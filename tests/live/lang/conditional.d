/*
 * ?: of pointers, of strings and NULL, of void.
 * @ref d-language 9.2 integers pointers string-and-null void-branches
 * @ref d-language 9.4 void
 */
#pragma D option quiet

BEGIN
{
	one = 1;
	zero = 0;
	p = (int *)16;
	q = (int *)0;
	s = "x";
}

BEGIN
{
	printf("%p %p %p\n", one ? p : 0, zero ? p : 0, one ? NULL : p);
	printf("%d %d\n", (one ? (int *)8 : q) == (int *)8, (zero ? p : q) == NULL);
	printf("%s %d %d\n", one ? s : NULL, (zero ? s : NULL) == NULL, (one ? 0 : s) == NULL);
	one ? (void)(n = 5) : (void)(n = 6);
	zero ? (void)(m = 5) : (void)(m = 6);
	printf("%d %d\n", n, m);
	printf("%d %d\n", sizeof(one ? (char)1 : 2), (one ? -1 : 2u) > 0);
	(void)one;
	(void)(n = 77);
	printf("%d\n", n);
	exit(0);
}
