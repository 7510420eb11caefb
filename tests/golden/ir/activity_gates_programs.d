/*
 * The activity word gates every program: BEGIN runs in state 1, END in state 4, other probes in state 2, which is
 * after BEGIN and before exit().
 * @only programs entry
 */
int x;

BEGIN
{
	x = 1;
}

syscall::read:entry
{
	x = 2;
}

END
{
	x = 3;
}
