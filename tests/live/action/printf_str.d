/*
 * printf: characters and strings.
 * @ref d-builtins 8.1 c C s S
 * @ref output 7 c C s S
 * @ref d-builtins 8 precision-zero star
 * @ref d-builtins 4 printf-without-conversions
 */
#pragma D option quiet

BEGIN
{
	this->s = strjoin("abc", "def");
	printf("[%c%c%c] [%3c] [%-3c] [%c]\n", 'a', (char)98, (short)99, 'x', 'x', 321);
	printf("[%C] [%C] [%C] [%C] [%C] [%C] [%4C]\n", 'a', 10, 0, 200, 7, '"', 10);
	printf("[%s] [%s] [%s]\n", "literal", "", this->s);
	printf("[%10s] [%-10s] [%.2s] [%10.2s] [%-10.2s]\n", this->s, this->s, this->s, this->s, this->s);
	printf("[%*s] [%-*s] [%.*s] [%.0s] [%*.*s]\n", 8, this->s, 8, this->s, 3, this->s, this->s,
		8, 3, this->s);
	printf("[%s] [%s]\n", probename, strjoin(probeprov, probefunc));
	printf("[%S] [%S]\n", "a\"b\\c\n\t", "\a\b\f\r\v\001\177\377");
	printf("[%20S] [%-20S]\n", "abc", "abc");
	printf("nothing else\n");
	printf("%s%s%d%s", "a", "b", 3, "\n");
	printf("tab\there \x41 \102 \"quoted\" 'single'\n");
	exit(0);
}
