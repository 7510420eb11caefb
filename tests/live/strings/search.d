/*
 * strchr(), strrchr(), strstr(): the rest of the string from where it was found, or NULL.
 * @ref d-builtins 3.2 strchr strrchr strchr-nul strstr
 * @ref d-language 10.4 not-found
 */
#pragma D option quiet

BEGIN
{
	s = "foo.bar.baz";
	e = "";
	c = '.';
	z = 0;
	printf("[%s] [%s] [%s]\n", strchr(s, '.'), strchr(s, 'f'), strchr(s, 'z'));
	printf("[%s] [%s] [%s]\n", strrchr(s, '.'), strrchr(s, 'f'), strrchr(s, 'z'));
	printf("[%s] [%s]\n", strchr(s, c), strrchr(s, c));
	printf("%d %d %d %d\n", strchr(s, 'x') == NULL, strrchr(s, 'x') == NULL, strchr(e, 'x') == NULL,
		strrchr(e, 'x') == NULL);
	printf("[%s] [%s] [%s] %d\n", strchr(s, 0), strrchr(s, 0), strchr(e, z), strchr(s, z) == "");
	printf("[%s] [%s] [%s]\n", strstr(s, "ba"), strstr(s, "baz"), strstr(s, s));
	printf("[%s] [%s]\n", strstr(s, ""), strstr(e, ""));
	printf("%d %d %d\n", strstr(s, "bax") == NULL, strstr(s, "foo.bar.baz.") == NULL, strstr(e, "x") == NULL);
	printf("[%s] [%s]\n", strstr("aaab", "aab"), strstr("abababc", "ababc"));
	n = strstr(s, "nothing");
	printf("%d\n", n == NULL);
	printf("[%s]\n", strchr(strstr(s, "bar"), 'b'));
	exit(0);
}
