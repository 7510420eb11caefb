#!/usr/sbin/dtrace -qs
/*
 * All that scripts did with strings: cut paths and arguments apart, put them together, compare.
 * @args -q
 * @ref d-builtins 3.2 strlen strjoin strchr strrchr strstr index rindex
 */
string path, rest;

dtrace:::BEGIN
{
	path = "/usr//local/lib/../bin/prog.sh";
	printf("%s | %s | %s\n", basename(path), dirname(path), cleanpath(path));
	printf("%d %d %d %d\n", strlen(path), index(path, "l"), rindex(path, "l"), index(path, "none"));
	printf("%d %d %d\n", index(path, "l", 10), rindex(path, "/", 8), strlen(""));
	printf("<%s> <%s> <%s>\n", substr(path, 5), substr(path, 5, 4), substr(path, -2));
	printf("<%s> <%s> <%s>\n", strchr(path, 'l'), strrchr(path, '/'), strstr(path, "bin"));
	printf("%d %d\n", strstr(path, "sbin") == NULL, strchr(path, 'X') == 0);
	printf("%s %s\n", toupper("mixed Case 1"), tolower("MIXED Case 1"));
	printf("%s\n", strjoin("a", strjoin("b", strjoin(lltostr(-42), "c"))));
	printf("%s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(-9223372036854775807 - 1));
	printf("%d %d %d\n", strtoll("42abc"), strtoll("-0x10", 16), strtoll("777", 8));
}

dtrace:::BEGIN
{
	this->word = strtok("one, two;three", ", ;");
	printf("[%s]", this->word);
	this->word = strtok(NULL, ", ;");
	printf("[%s]", this->word);
	this->word = strtok(NULL, ", ;");
	printf("[%s]", this->word);
	printf("%s\n", strtok(NULL, ", ;") == NULL ? "end" : "more");
}

dtrace:::BEGIN
/"abc" < "abd" && "abc" == "abc" && "b" > "abc" && !("x" == "y")/
{
	printf("order holds: %d%d%d\n", "a" <= "a", "a" >= "b", "" != "a");
	rest = path + 1;
	printf("%s %c%c %d\n", rest, path[1], path[2], path[0] == '/');
	printf("%s\n", inet_ntoa((ipaddr_t *)alloca(4)));
	printf("%.3s|%10s|%-10s|%10.4s|\n", "abcdef", "right", "left", "truncated");
	printf("%s%%%s\n", "100", "");
	exit(0);
}
