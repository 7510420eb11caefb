/*
 * %s and %S of arrays of characters: up to the first NUL, which %S shows, or all of it.
 * @ref d-builtins 8.1 s S
 * @ref output 7 chars-end S-nul
 */
#pragma D option quiet

char text[4];
char full[2];

BEGIN
{
	text[0] = 'a';
	text[1] = '\n';
	full[0] = 'x';
	full[1] = 'y';
	printf("[%s] [%S]\n", text, text);
	printf("[%s] [%S]\n", full, full);
	printf("[%S] [%6S] [%-6S]\n", curthread->comm, full, full);
	exit(0);
}
