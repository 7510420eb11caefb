/*
 * strsize cuts the built-in strings, too: as values, keys, operands and arguments, and what is cut to the same is the same key.
 * @args -q -x strsize=3
 * @trigger cut
 * @ref options 5.5 builtins
 */
syscall::getpid:entry, syscall::getppid:entry
/pid == $target/
{
	@[probefunc] = count();
	a[probefunc]++;
	n[strjoin(probefunc, "")]++;
	p[probefunc == "get" ? 1 : 0]++;
}

BEGIN
{
	trace(probeprov);
	trace(execname);
	trace(probename);
	printf(" %s %s %d %d\n", probeprov, execname, strlen(execname), strlen(probename));
	printf("%d %d %d\n", execname == "dtrace", execname == "dtr", probename == "BEGIN");
	printf("%s %s %s\n", strjoin("x", execname), substr(execname, 1), execname + 1);
	x = execname;
	self->x = probename;
	k[execname] = 5;
	printf("%s %s %d\n", x, self->x, k["dtr"]);
	print(execname);
	print(probeprov);
	@e[execname, probename] = count();
	printa("%s %s %@d\n", @e);
}

END
{
	printa("%s %@d\n", @);
	printf("%d %d %d\n", a["get"], n["get"], p[1]);
}
