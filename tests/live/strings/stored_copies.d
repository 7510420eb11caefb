/*
 * A copy of user memory in a string variable is written: it was made by copyinstr(), or by copyin() and stringof().
 * @trigger self memory
 * @ref d-language 10.3 store
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->s = stringof(copyin(arg0, 10));
	this->s[4] = '.';
	s = copyinstr(arg0);
	s[0] = 'U';
	self->s = (string)copyin(arg0, 10);
	self->s[8] = '\0';
	printf("%s %s %s\n", this->s, s, self->s);
}
