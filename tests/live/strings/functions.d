/*
 * strlen(), strjoin(), basename(), dirname(), lltostr(), rand(), stringof.
 * @ref d-builtins 3.2 strlen strjoin basename dirname lltostr stringof
 * @ref d-builtins 3.4 rand
 * @ref d-language 10.5 stringof-copies implicit-conversion
 * @ref d-builtins 2 nested-subroutines
 */
#pragma D option quiet

BEGIN
{
	s = "hello";
	e = "";
	printf("strlen %d %d %d %d\n", strlen(s), strlen(e), strlen("hello, world"), strlen(strjoin(s, s)));
	printf("of 65 %d\n", strlen(strjoin(
		strjoin(strjoin(strjoin("12345678", "12345678"), strjoin("12345678", "12345678")),
			strjoin(strjoin("12345678", "12345678"), strjoin("12345678", "12345678"))),
		"x")));
	printf("strjoin [%s] [%s] [%s] [%s]\n", strjoin(s, " you"), strjoin(e, s), strjoin(s, e), strjoin(e, e));
	printf("nested [%s]\n", strjoin(strjoin("a", "b"), strjoin("c", strjoin("d", "e"))));
	printf("strlen in an expression %d\n", 2 * strlen(s) + strlen("ab"));
}

BEGIN
{
	p = "/usr//lib///x.so//";
	printf("basename [%s] [%s] [%s] [%s]\n", basename("/usr/lib"), basename("/usr/lib/"), basename("usr"),
		basename("/usr"));
	printf("basename [%s] [%s] [%s] [%s]\n", basename("/"), basename("///"), basename(""), basename(p));
	printf("basename [%s] [%s] [%s]\n", basename("."), basename(".."), basename("a/b"));
	printf("dirname [%s] [%s] [%s] [%s]\n", dirname("/usr/lib"), dirname("/usr/lib/"), dirname("usr"),
		dirname("/usr"));
	printf("dirname [%s] [%s] [%s] [%s]\n", dirname("/"), dirname("///"), dirname(""), dirname(p));
	printf("dirname [%s] [%s] [%s] [%s]\n", dirname("."), dirname(".."), dirname("a/b"), dirname("a//b"));
	printf("dirname [%s] [%s] [%s]\n", dirname("//a"), dirname("usr/"), dirname("a/b/c"));
	printf("both [%s]\n", strjoin(dirname("/a/b/c"), strjoin(":", basename("/a/b/c"))));
}

BEGIN
{
	i = -42;
	l = 9223372036854775807;
	u = 4294967295u;
	c = (char)-1;
	printf("lltostr [%s] [%s] [%s] [%s]\n", lltostr(0), lltostr(7), lltostr(-1), lltostr(1234567890));
	printf("lltostr [%s] [%s] [%s] [%s]\n", lltostr(i), lltostr(l), lltostr(u), lltostr(c));
	printf("lltostr [%s] [%s] [%s]\n", lltostr(-l), lltostr(-l - 1), lltostr(0x8000000000000000));
	printf("lltostr [%s] [%s] %d\n", lltostr(10), lltostr(99), strlen(lltostr(-l - 1)));
	printf("lltostr [%s] [%s]\n", lltostr(100), lltostr(i * i));
}

/* Of some random numbers not all are alike, and they have 32 bits. */
BEGIN
{
	a = rand();
	b = rand();
	d = rand();
	printf("rand %d %d\n", a == b && b == d, sizeof(rand()));
	printf("below 10: %d\n", (unsigned int)rand() % 10 < 10);
}

BEGIN
{
	printf("stringof [%s] [%s] [%s]\n", stringof("x"), stringof s, stringof(s));
	printf("cast [%s]\n", (string)s);
	printf("comm %d %d\n", stringof(curthread->comm) == execname, (string)curthread->comm == execname);
	q = (char *)curthread->comm;
	printf("pointer %d %d\n", stringof(q) == execname, stringof(q + 1) == substr(execname, 1));
	printf("passed %d %d\n", strlen(curthread->comm) == strlen(execname),
		strjoin(curthread->comm, "") == execname);
	n = s;
	n = curthread->comm;
	printf("assigned %d\n", n == execname);
	exit(0);
}
