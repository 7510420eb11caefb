/*
 * system(): a command of the shell, run when the record is read.
 * @args -w -q
 * @trigger calls getppid 1
 * @ref d-builtins 4 system
 */
BEGIN
{
	printf("before\n");
	system("echo the %s has %d, %s", "shell", 6 * 7, probename);
	system("echo 'a line'; exit 3");
	printf("after\n");
}
