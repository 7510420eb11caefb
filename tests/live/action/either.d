/*
 * Actions as the branches of a ?: that is a statement: only the one that is chosen records.
 * @ref d-language 9.2 action-statement void-branches
 */
#pragma D option quiet

BEGIN
{
	one = 1;
	one ? printf("yes\n") : printf("no\n");
	!one ? printf("yes\n") : printf("no\n");
	one == 2 ? trace("two") : one == 1 ? trace("one") : trace("none");
	printf("\n");
	exit(0);
}
