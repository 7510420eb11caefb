/*
 * Functions of strings and strsize: what they take and return ends there.
 * @args -x strsize=8
 * @ref d-language 10.1 truncated
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s]\n", strchr("123456789abc", '3'), strstr("123456789abc", "78"));
	printf("%d %d\n", index("123456789abc", "8"), index("123456789abc", "9"));
	printf("%d %d\n", rindex("12345678", "8"), strlen(strtok("12345678,x", ",")));
	printf("[%s] [%s]\n", toupper("abcdefghijk"), tolower("ABCDEFGHIJK"));
	printf("[%s]\n", cleanpath("/a/b/c/d/e/f/g"));
	printf("[%s]\n", lltostr(-123456789012, 10));
	exit(0);
}
