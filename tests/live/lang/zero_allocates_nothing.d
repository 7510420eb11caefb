/*
 * Storing 0 to what does not exist takes no memory: there is room for few elements, but none is lost.
 * @trigger values spread 1 2000
 * @args -x dynvarsize=1k
 * @stderr
 * @ref d-language 8.4 zero-allocates-nothing
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	a[arg0, arg1] = 0;
	self->b[arg0, arg1] = 0;
	s[arg1] = (string)NULL;
	n++;
}

END
{
	a[1, 2] = 3;
	s[1] = "set";
	printf("%d calls: %d %d %s\n", n, a[1, 2], a[1, 3], s[1]);
}
