/*
 * A string plus an integer is the rest of the string, a string: of variables of each class, literals, built-ins, results of
 * subroutines, functions and choices; as a value, key, operand, argument and predicate; "" from the end on.
 * @ref d-language 10.3 rest plus
 */
#pragma D option quiet

self string own;
this string local;
string<5> sized;
string element[int];
string after(string s) { return s + 1; }
char chars[8];

BEGIN
{
	s = "hello";
	i = 2;
	self->own = "thread";
	this->local = "clause";
	sized = "abcdefgh";
	element[1] = "element";
	trace(s + 1);
	trace(" ");
	trace(1 + s);
	printf("\n%s [%s] [%s] [%s]\n", s + 2, s + i, s + 5, s + 100000);
	printf("%s %s %s %s [%s]\n", self->own + 2, this->local + i, element[1] + 3, sized + 3, sized + 5);
	printf("%s %s %s %s\n", execname + 2, "literal" + 3, "literal" + i, probename + 1);
	printf("%s %s %s %s\n", strjoin(s, "!") + 3, after(s), after(s + 1) + 1, (i > 1 ? s : "none") + 1);
	printf("%s %s %s\n", s + 1 + 2, 1 + (s + i), (s + i) + i);
	printf("%d %d %s %s\n", strlen(s + 2), index(s + 1, "l"), strjoin(s + 4, s + 3), substr(s + 1, 2));
	printf("%d %d %d %d\n", s + 1 == "ello", "ello" != s + 1, s + 4 > "n", s + i == s + 2);
	x = s + 1;
	printf("%s %s %d\n", x, x + 1, sizeof(x));
	s = s + 3;
	printf("%s\n", s);
	a[x + 2] = 7;
	printf("%d\n", a["lo"]);
	@[x + 1] = sum(1);
	@[x + i] = sum(2);
	@["lo" + 0] = sum(4);
	@[x + 4] = sum(8);
}

/* As a pointer: a negative constant, a difference, an address, a cast, and where a scalar is wanted. */
BEGIN
{
	s = "pointer";
	minus = -1;
	printf("%s %s %s\n", stringof(s + 3 - 1), stringof((s + 3) + -2), (s + 3) + minus);
	printf("%d %d\n", stringof(s - 1) == s + minus, (s + 5) - (char *)s);
	printf("%c%c%c\n", *(s + 1), (s + 2)[1], *(1 + s));
	printf("%d %d %d\n", &s[3] - (char *)(s + 1), s + 1 ? 1 : 0, s + 1 && !(s + 1));
	printf("%x\n", *(uint16_t *)(s + 1));
	p = &s[2];
	printf("%s\n", stringof(p + 1));
	chars[0] = 'a';
	chars[1] = 'b';
	printf("%s\n", stringof(chars + 1));
}

BEGIN /s + 2 == "inter"/ { printf("predicate\n"); }
BEGIN /s + 1 == "inter"/ { printf("wrong\n"); }
BEGIN { s = NULL; }
BEGIN { trace(s + 3); }
BEGIN { @[s + i] = sum(100); }
BEGIN { printf("%d\n", self->own + 0 == "thread" ? 1 : 2); self->own = NULL; }
BEGIN { printf("%s", self->own + 4); }
BEGIN { exit(0); }
ERROR { printf("clause %d: %d %d\n", arg2, arg4, arg5); }
END { printa("[%s] %@d\n", @); }
