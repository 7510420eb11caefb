/*
 * strtoll(), lltostr() with a base, toupper(), tolower().
 * @ref d-language 21 toupper-tolower strtoll lltostr-base
 * @ref d-builtins 3.2 lltostr-base
 */
#pragma D option quiet

BEGIN
{
	b = 16;
	printf("%d %d %d %d\n", strtoll("123"), strtoll("-45"), strtoll("+6"), strtoll(" \t-7x"));
	printf("%d %d %d %d\n", strtoll("ff", 16), strtoll("FF", b), strtoll("101", 2), strtoll("zz", 36));
	printf("%d %d %d %d\n", strtoll("12", 2), strtoll(""), strtoll("x"), strtoll("777", 8));
	printf("%d %d\n", strtoll("99999999999999999999"), strtoll("-99999999999999999999"));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(255, 16), lltostr(8, 8), lltostr(5, 2), lltostr(35, 36));
	printf("[%s] [%s] [%s]\n", lltostr(48879, b), lltostr(-12, 10), lltostr(0, 2));
	printf("[%s] [%s]\n", toupper("aBc1_z{`"), tolower("AbC1_Z[@"));
	printf("[%s] [%s] [%s]\n", toupper(""), tolower(""), toupper("\xe9"));
	exit(0);
}
