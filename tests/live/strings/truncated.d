/*
 * Strings end at strsize characters, silently.
 * @ref d-language 10.1 strsize-characters truncated
 * @ref d-builtins 3.2 strlen
 * @ref options 3 strsize; options 5.5 sizeof truncation
 */
#pragma D option quiet
#pragma D option strsize=8

string g;

BEGIN
{
	printf("[%s] [%s] %d\n", "1234567", "12345678", sizeof(string));
	g = "123456789abc";
	printf("[%s] %d %d\n", g, strlen(g), strlen("123456789abc"));
	self->s = "123456789abc";
	this->s = "123456789";
	a[1] = "123456789abc";
	printf("[%s] [%s] [%s]\n", self->s, this->s, a[1]);
	printf("[%s] %d\n", strjoin("12345", "6789"), strlen(strjoin("12345", "6789")));
	printf("[%s]\n", strjoin(strjoin("abc", "def"), strjoin("ghi", "jkl")));
	printf("[%s]\n", substr("123456789abc", 2));
	printf("[%s]\n", lltostr(-123456789012345));
	printf("[%s]\n", dirname("/usr/share/doc/x"));
	printf("[%s]\n", basename("/usr/verylongname"));
	printf("%d %d\n", g == "123456789abc", g == "12345678");
	b["123456789abc"] = 5;
	printf("%d %d\n", b["12345678"], b["1234567"]);
	trace(g);
	printf("\n");
	exit(0);
}
