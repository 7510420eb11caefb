/*
 * A string is an array of characters and a pointer to them; of NULL, the address of the fault is the offset.
 * @stderr
 * @ref d-language 10.3 subscript dereference plus null-address
 * @ref d-language 9.1 dereference subscript
 */
#pragma D option quiet

self string none;

BEGIN
{
	s = "hello";
	i = 1;
	printf("%c%c%c %d\n", s[0], s[i], s[i + 3], s[5]);
	printf("%d %d\n", sizeof(s[0]), sizeof(*s));
	printf("%c %c %c\n", *s, *(s + 4), *"abc");
	printf("%c %d\n", "abc"[1], "abc"[i] == 'b');
	printf("[%s] [%s] [%s]\n", stringof(s + 2), stringof(s + i), stringof(s + 5));
	this->t = "this";
	a["k"] = "element";
	printf("%c %c [%s]\n", this->t[1], a["k"][2], stringof(a["k"] + 3));
	printf("%d %d\n", execname[0] == 'd', execname[i] == 't');
	s = NULL;
}

BEGIN { trace(s[3]); }
BEGIN { i = 70; trace(self->none[i]); }
BEGIN { trace(*s); }
BEGIN { trace(*(s + 5)); }
BEGIN { trace(stringof(s + 7)); }
BEGIN { trace(a["not there"][9]); }
BEGIN { exit(0); }
