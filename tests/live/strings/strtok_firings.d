/*
 * strtok(): leading delimiters are skipped, NULL goes on where the last call ended, no delimiters give all that remains.
 * The position is carried from one clause to the next of the same firing, but not to the next firing.
 * @trigger calls getppid 2
 * @ref d-builtins 3.2 strtok strtok-empty-delimiters strtok-null
 */
#pragma D option quiet

int n;

BEGIN
{
	printf("[%s]", strtok("::one::two:three::", ":"));
	printf("[%s]", strtok(NULL, ":"));
	printf("[%s]", strtok(0, ":"));
	printf("%d", strtok(NULL, ":") == NULL);
	printf("%d\n", strtok(NULL, ":") == NULL);
}

BEGIN
{
	s = "a,b;c d";
	delims = ",;";
	printf("[%s]", strtok(s, delims));
	delims = ";";
	printf("[%s]", strtok(NULL, delims));
	printf("[%s]", strtok(NULL, ""));
	printf("%d %d\n", strtok(NULL, "") == NULL, strtok(NULL, " ") == NULL);
	printf("the text is as it was: %s\n", s);
}

/* Nothing but delimiters, nothing at all, no delimiter in the text. */
BEGIN
{
	printf("%d %d %d %d\n", strtok(",,,", ",") == NULL, strtok("", ",") == NULL, strtok(NULL, ",") == NULL,
		strtok("", "") == NULL);
	printf("[%s] %d [%s] %d\n", strtok("abc", ","), strtok(NULL, ",") == NULL, strtok(" , ", ""),
		strtok(NULL, ",") == NULL);
	printf("[%s][%s][%s]\n", strtok("\3771\200x", "\x80\xff"), strtok(NULL, "\x80\xff"), strtok("-", "+"));
}

/* It is the text of then: what is assigned later does not matter; another text begins anew. */
BEGIN
{
	s = "x y z";
	t = strtok(s, " ");
	s = "other";
	u = strtok(NULL, " ");
	v = strtok("p q", " ");
	printf("%s %s %s %s %s\n", t, u, v, strtok(NULL, " "), s);
	printf("of itself %s\n", strtok(strtok("a-b c", " "), "-"));
	s = "1/2/3";
	s = strtok(s, "/");
	printf("assigned to itself %s %s\n", s, strtok(NULL, "/"));
}

BEGIN
{
	printf("first %s\n", strtok("in one,in the next,in the last", ","));
}

BEGIN
{
	printf("then %s, %s\n", strtok(NULL, ","), strjoin(strtok(NULL, ","), "!"));
}

syscall::getppid:entry
/pid == $target && n == 0/
{
	printf("firing 1: %s\n", strtok("a b c", " "));
}

syscall::getppid:entry
/pid == $target/
{
	n++;
	printf("firing %d: %s\n", n, strtok(NULL, " "));
}

ERROR
{
	printf("firing %d: fault %d, value %d\n", n, arg4, arg5);
}
