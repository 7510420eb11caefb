/*
 * caller, ucaller, stackdepth, ustackdepth: where the probe was called from, how deep.
 * @trigger calls getppid 1
 * @ref d-builtins 1 caller ucaller stackdepth ustackdepth
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", sizeof(caller), sizeof(ucaller), sizeof(stackdepth));
	printf("%d\n", sizeof(ustackdepth));
}

syscall::getppid:entry
/pid == $target/
{
	printf("%d %d\n", ucaller != 0, ustackdepth > 0 && ustackdepth < 100);
	printf("%d\n", caller == 0 || caller > 0xffff000000000000);
	printf("%d\n", stackdepth < 128);
}
