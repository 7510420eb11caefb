/*
 * An array of char that is assigned to a new variable makes a string of it, which keeps its text.
 * @ref d-language 8.2 array-value
 */
#pragma D option quiet

char full[4];

BEGIN
{
	full[0] = 'f';
	full[1] = 'u';
	full[2] = 'l';
	full[3] = 'l';
	x = full;
	this->c = full;
	self->s = full;
	a[1] = full;
	comm = curthread->comm;
	full[0] = 'p';
	printf("%s %s %s %s %d\n", x, this->c, self->s, a[1], strlen(x));
	print(x);
	printf("%d %d\n", x == "full", comm == execname);
	x = full;
	trace(x);
	x = "another";
	trace(x);
	exit(0);
}
