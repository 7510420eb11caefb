/*
 * strtok(): tokens, and where it stands: through the clauses of a firing, not from one firing to the next.
 * @stderr
 * @ref d-builtins 3.2 strtok strtok-empty-delimiters strtok-null
 * @ref d-language 5.1 strtok-per-firing strtok-no-position
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]", strtok(",this,,is;a:test,", ","));
	printf(" [%s]", strtok(NULL, ","));
	printf(" %d", strtok(NULL, ",") == NULL);
	printf(" %d\n", strtok(NULL, ",") == NULL);
	printf("[%s]", strtok("a b,c d", " "));
}

/* The delimiters may change. */
BEGIN
{
	printf(" [%s]", strtok(0, ","));
	printf(" [%s]", strtok(NULL, ""));
	printf(" %d\n", strtok(NULL, "") == NULL);
	printf("%d %d\n", strtok("", ",") == NULL, strtok(",,,", ",") == NULL);
	s = "x-y";
	printf("[%s]", strtok(s, "-"));
	printf(" [%s] [%s]\n", strtok(NULL, "-"), s);
	this->first = strtok("one two", " ");
}

BEGIN
{
	printf("[%s] [%s]\n", this->first, strtok(NULL, " "));
}

/* The delimiter that ended a token is still there for other ones. */
BEGIN
{
	printf("[%s]", strtok("key=v,w", "="));
	printf(" [%s]", strtok(NULL, ","));
	printf(" [%s]", strtok(NULL, ""));
	printf(" %d\n", strtok(NULL, "") == NULL);
	printf("[%s]", strtok("a:b;c", ":;"));
	printf(" [%s]", strtok(NULL, ";"));
	printf(" [%s]\n", strtok(NULL, ":"));
	printf("[%s]", strtok("path/", "/"));
	printf(" [%s]\n", strtok(NULL, "x"));
}

BEGIN
{
	null = (string)NULL;
	printf("[%s]\n", strtok(null, ","));
}

BEGIN
{
	printf("[%s]\n", strtok("a,b", null));
}

BEGIN
{
	exit(0);
}

END
{
	printf("[%s]\n", strtok(NULL, " "));
}

ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
}
