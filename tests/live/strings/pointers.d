/*
 * A string as an array and as a pointer: s[i], *s, s + n; char pointers and char arrays where a string is expected.
 * @ref d-language 10.3 subscript dereference plus null-address sizes
 * @ref d-language 10.5 stringof-copies implicit-conversion null-pointer
 * @ref d-language 10.2 char-pointers
 */
#pragma D option quiet

char chars[8];
string empty;

BEGIN
{
	s = "hello";
	i = 4;
	printf("%c%c%c%c%c %d\n", s[0], s[1], s[2], s[3], s[i], s[5]);
	printf("%c %d %d %d\n", *s, *s == 'h', sizeof(s[0]), sizeof(*s));
	printf("of a literal %c %c %d\n", "abc"[1], *"xyz", "abc"[3]);
	printf("of a result %c %c\n", strjoin(s, "!")[5], *strstr(s, "l"));
	printf("[%s] [%s] [%s] [%s]\n", stringof(s + 0), stringof(s + 1), stringof(s + i), stringof(s + 5));
	printf("[%s] [%s]\n", stringof("literal" + 3), (string)(s + 2));
	printf("*(s + n) %c %c\n", *(s + 1), *(s + i));
	printf("of nothing %d %d\n", empty[0], *empty);
	printf("sign %d %d\n", "\xff"[0], "\x7f"[0]);
	printf("as arguments %d %s %s\n", strlen(s + 2), strjoin(s + 3, "!"), basename("a/b/cd" + 2));
	printf("sizes %d %d %d %d %d\n", sizeof("abc"), sizeof(""), sizeof(string), sizeof(s), sizeof(strjoin(s, s)));
}

BEGIN
{
	for (this->i = 0, this->sum = 0; s[this->i] != 0; this->i++)
		this->sum += s[this->i];
	printf("walked %d %d\n", this->i, this->sum);
}

/* A char array of D. */
BEGIN
{
	chars[0] = 'a';
	chars[1] = 'b';
	printf("[%s] %d [%s]\n", stringof(chars), strlen(chars), strjoin(chars, chars));
	printf("compared %d %d %d\n", s == chars, chars == "ab", "aa" < chars);
	t = stringof(chars);
	chars[0] = 'x';
	printf("a copy [%s] [%s] %d\n", t, (string)chars, t != chars);
}

/* Scratch memory. */
BEGIN
{
	this->p = (char *)alloca(16);
	bcopy("scratch", this->p, 8);
	printf("[%s] [%s] %d %d\n", stringof(this->p), stringof(this->p + 3), strlen(this->p), index(this->p, "ch"));
	printf("compared %d %d %d\n", this->p == "scratch", "scratch" == (string)this->p, this->p < "t");
	printf("two pointers %d %d\n", this->p == this->p + 0, this->p == this->p + 1);
	this->p[0] = 'S';
	printf("its memory changed %s\n", stringof(this->p));
}

/* The name of the thread in kernel memory: a char array of a struct, and a pointer to it. */
BEGIN
{
	this->c = (char *)&curthread->comm[0];
	v = stringof(curthread->comm);
	v = curthread->comm;
	printf("comm %d %d %d %d\n", v == execname, curthread->comm == execname, this->c == execname,
		stringof(this->c) == v);
	printf("of it %d %d %d\n", v[0] == *this->c, this->c[1] == curthread->comm[1], stringof(this->c + 2) == v + 2);
	printf("as arguments %d %d\n", strlen(curthread->comm) == strlen(v), strjoin(this->c, "") == v);
	@[curthread->comm] = count();
	@[execname] = count();
	a[stringof(this->c)] = 1;
	printf("as a key %d\n", a[execname]);
	exit(0);
}

END
{
	printa("of one name: %@d\n", @);
}
