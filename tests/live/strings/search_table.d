/*
 * strchr(), strrchr() and strstr(): each with constants and with variables. What is not found is NULL; the terminator is
 * found, as in C; an empty text is found at once.
 * @ref d-builtins 3.2 strchr strrchr strstr
 * @ref d-language 10.4 not-found
 */
#pragma D option quiet

BEGIN { s = "abcabcab"; c = 'a'; printf("strchr(abcabcab, 'a') [%s] [%s]\n", strchr("abcabcab", 'a'), strchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'b'; printf("strchr(abcabcab, 'b') [%s] [%s]\n", strchr("abcabcab", 'b'), strchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'c'; printf("strchr(abcabcab, 'c') [%s] [%s]\n", strchr("abcabcab", 'c'), strchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'd'; printf("strchr(abcabcab, 'd') NULL %d NULL %d\n", strchr("abcabcab", 'd') == NULL, strchr(s, c) == NULL); }
BEGIN { s = ""; c = 'a'; printf("strchr(, 'a') NULL %d NULL %d\n", strchr("", 'a') == NULL, strchr(s, c) == NULL); }
BEGIN { s = "/usr/lib"; c = '/'; printf("strchr(/usr/lib, '/') [%s] [%s]\n", strchr("/usr/lib", '/'), strchr(s, c)); }
BEGIN { s = "x"; c = 'x'; printf("strchr(x, 'x') [%s] [%s]\n", strchr("x", 'x'), strchr(s, c)); }

BEGIN { s = "abcabcab"; c = 'a'; printf("strrchr(abcabcab, 'a') [%s] [%s]\n", strrchr("abcabcab", 'a'), strrchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'b'; printf("strrchr(abcabcab, 'b') [%s] [%s]\n", strrchr("abcabcab", 'b'), strrchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'c'; printf("strrchr(abcabcab, 'c') [%s] [%s]\n", strrchr("abcabcab", 'c'), strrchr(s, c)); }
BEGIN { s = "abcabcab"; c = 'd'; printf("strrchr(abcabcab, 'd') NULL %d NULL %d\n", strrchr("abcabcab", 'd') == NULL, strrchr(s, c) == NULL); }
BEGIN { s = ""; c = 'a'; printf("strrchr(, 'a') NULL %d NULL %d\n", strrchr("", 'a') == NULL, strrchr(s, c) == NULL); }
BEGIN { s = "/usr/lib"; c = '/'; printf("strrchr(/usr/lib, '/') [%s] [%s]\n", strrchr("/usr/lib", '/'), strrchr(s, c)); }
BEGIN { s = "x"; c = 'x'; printf("strrchr(x, 'x') [%s] [%s]\n", strrchr("x", 'x'), strrchr(s, c)); }

BEGIN { s = "abcabcab"; t = "a"; printf("strstr(abcabcab, a) [%s] [%s]\n", strstr("abcabcab", "a"), strstr(s, t)); }
BEGIN { s = "abcabcab"; t = "ca"; printf("strstr(abcabcab, ca) [%s] [%s]\n", strstr("abcabcab", "ca"), strstr(s, t)); }
BEGIN { s = "abcabcab"; t = "cab"; printf("strstr(abcabcab, cab) [%s] [%s]\n", strstr("abcabcab", "cab"), strstr(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcab"; printf("strstr(abcabcab, abcabcab) [%s] [%s]\n", strstr("abcabcab", "abcabcab"), strstr(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcabc"; printf("strstr(abcabcab, abcabcabc) NULL %d NULL %d\n", strstr("abcabcab", "abcabcabc") == NULL, strstr(s, t) == NULL); }
BEGIN { s = "abcabcab"; t = "d"; printf("strstr(abcabcab, d) NULL %d NULL %d\n", strstr("abcabcab", "d") == NULL, strstr(s, t) == NULL); }
BEGIN { s = "abcabcab"; t = ""; printf("strstr(abcabcab, ) [%s] [%s]\n", strstr("abcabcab", ""), strstr(s, t)); }
BEGIN { s = ""; t = ""; printf("strstr(, ) [%s] [%s]\n", strstr("", ""), strstr(s, t)); }
BEGIN { s = ""; t = "a"; printf("strstr(, a) NULL %d NULL %d\n", strstr("", "a") == NULL, strstr(s, t) == NULL); }
BEGIN { s = "aaab"; t = "aab"; printf("strstr(aaab, aab) [%s] [%s]\n", strstr("aaab", "aab"), strstr(s, t)); }
BEGIN { s = "aabaaab"; t = "aaab"; printf("strstr(aabaaab, aaab) [%s] [%s]\n", strstr("aabaaab", "aaab"), strstr(s, t)); }
BEGIN { s = "abababc"; t = "ababc"; printf("strstr(abababc, ababc) [%s] [%s]\n", strstr("abababc", "ababc"), strstr(s, t)); }

/* @ref d-builtins 3.2 strchr-nul */
BEGIN
{
	s = "ab";
	zero = (char)0;
	printf("terminator [%s] [%s] [%s] [%s]\n", strchr("ab", 0), strrchr("ab", 0), strchr(s, zero), strrchr("", zero));
	printf("a char %s %s\n", strchr(s, 0x162), strrchr("aba", 353));
}

BEGIN { exit(0); }
