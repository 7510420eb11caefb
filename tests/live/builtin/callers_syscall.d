/*
 * caller and ucaller in a predicate, as values and as keys; alike in every clause of a firing. Where a probe has no kernel
 * frames caller is 0.
 * @trigger frames 2
 * @ref d-builtins 1 caller ucaller
 */
#pragma D option quiet

BEGIN
{
	printf("BEGIN: %d, bytes %d %d %d %d\n", caller == 0, sizeof(caller),
		sizeof(ucaller), sizeof(stackdepth), sizeof(ustackdepth));
	printf("no sign %d %d %d %d\n", caller * 0 - 1 > 0, ucaller * 0 - 1 > 0, stackdepth * 0 - 1 > 0,
		ustackdepth * 0 - 1 > 0);
}

syscall::getppid:entry
/pid == $target && ucaller != 0 && caller != 0/
{
	@[usym(ucaller)] = count();
	@pairs[caller, ucaller] = count();
	self->c = caller;
	self->u = ucaller;
}

syscall::getppid:entry
/pid == $target/
{
	@same["alike in every clause", self->c == caller, self->u == ucaller] = count();
	self->c = self->u = 0;
}

END
{
	printa("%A: %@d\n", @);
	printa("pair: %@d\n", @pairs);
	printa("%s %d %d: %@d\n", @same);
}
