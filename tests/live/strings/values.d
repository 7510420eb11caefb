/*
 * Strings: literals, assignment, comparison of contents.
 * @ref d-language 10.1 copied-by-value
 * @ref d-language 10.2 content unsigned-bytes
 * @ref d-language 1.7 ends-at-nul octal-escapes hexadecimal-escapes
 * @ref d-language 10.3 sizes
 * @ref d-language 12 string-literal
 * @ref d-language 8.3 string-keys
 * @ref d-language 8.1 global-string-empty
 */
#pragma D option quiet

string declared;

BEGIN
{
	printf("[%s] [%s] [%s]\n", "plain", "", "with \"quotes\" and \\");
	printf("[%s]\n", "tab\there, octal \101\60, hex \x41\x7e, kept \q\'\?");
	printf("[%s] %d %d\n", "cut\0here", strlen("cut\0here"), strlen(""));
	printf("%d %d %d\n", strlen("a\nb"), strlen("\x41B"), strlen("\1012"));
	printf("declared [%s] %d\n", declared, declared == "");
	a = "first";
	b = a;
	a = "second";
	printf("copied [%s] [%s]\n", a, b);
	declared = a = b;
	printf("chain [%s] [%s] [%s]\n", a, b, declared);
	a = strjoin(a, "+");
	a = strjoin(a, a);
	printf("from itself [%s]\n", a);
	printf("sizes %d %d %d %d\n", sizeof("abc"), sizeof(""), sizeof(string), sizeof(a));
}

BEGIN
{
	a = "abc";
	b = "abd";
	c = "ab";
	printf("constants %d%d%d%d%d%d %d%d%d%d%d%d\n", "a" == "a", "a" != "a", "a" < "a", "a" <= "a",
		"a" > "a", "a" >= "a", "a" == "b", "a" != "b", "a" < "b", "a" <= "b", "a" > "b", "a" >= "b");
	printf("equal %d%d%d%d%d%d\n", a == "abc", a != "abc", a < "abc", a <= "abc", a > "abc", a >= "abc");
	printf("less %d%d%d%d%d%d\n", a == b, a != b, a < b, a <= b, a > b, a >= b);
	printf("greater %d%d%d%d%d%d\n", b == a, b != a, b < a, b <= a, b > a, b >= a);
	printf("prefix %d%d%d%d%d%d\n", c == a, c != a, c < a, c <= a, c > a, c >= a);
	printf("longer %d%d%d%d%d%d\n", a == c, a != c, a < c, a <= c, a > c, a >= c);
	printf("empty %d%d%d%d\n", "" == "", "" < "a", "a" > "", "" != "a");
	printf("unsigned bytes %d %d\n", "\x7f" < "\x80", "a" < "\xff");
	printf("case %d %d\n", "Z" < "a", "a" == "A");
	printf("results %d %d\n", strjoin("ab", "c") == a, substr(a, 1) == "bc");
	printf("execname %d %d\n", execname == "dtrace", execname != stringof(curthread->comm));
	printf("condition %s\n", a < b ? "a" : "b");
	s["abc"] = 1;
	s[strjoin("ab", "c")]++;
	printf("keys by content %d %d\n", s[a], s[b]);
}

BEGIN
/declared == "first" && a != b/
{
	printf("in a predicate\n");
}

BEGIN
/declared == "other"/
{
	printf("not here\n");
}

BEGIN
{
	self->s = "thread";
	this->s = "clause";
	t["k", 1] = "element";
	printf("%s %s %s\n", self->s, this->s, t["k", 1]);
	t["k", 1] = self->s;
	self->s = this->s;
	printf("%s %s %s\n", self->s, this->s, t["k", 1]);
	trace("traced");
	trace(self->s);
	printf("\n");
	exit(0);
}
