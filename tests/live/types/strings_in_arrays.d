/*
 * C arrays of strings: elements are strings of their own, "" until they are assigned.
 * @ref d-language 7.3 scalar-array
 * @ref d-language 8.1 global-string-empty
 * @ref d-language 11.2 run-time-index
 */
#pragma D option quiet

string s[3];
self string mine[2];
this string t[4];

BEGIN
{
	i = 1;
	s[i] = "one";
	s[i + 1] = strjoin(s[1], "more");
	this->t[3] = s[2];
	s[2] = "two";
	printf("%s|%s|%s|%s|%d\n", s[0], s[i], s[2], this->t[i + 2], strlen(s[i]));
	printf("%d %d %d\n", s[i] == "one", s[2] < s[i], sizeof(s[0]));
	printf("%c\n", s[i][2]);
}
BEGIN { i = 3; trace(s[i]); }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
