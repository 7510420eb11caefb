/*
 * A scratch pointer is good until the end of its clause, whatever variable keeps it.
 * @stderr
 * @ref d-language 11.3 validity
 * @ref d-language 22.1 badaddr
 */
#pragma D option quiet

BEGIN
{
	g = (int *)alloca(8);
	self->s = g;
	this->t = self->s;
	e[1] = this->t;
	*e[1] = 5;
	printf("%d %d %d %d\n", *g, *self->s, *this->t, *e[1]);
}
BEGIN { trace(*g); }
BEGIN { *self->s = 1; }
BEGIN { trace(*this->t); }
BEGIN { trace(*e[1]); }
BEGIN { printf("%d\n", g != NULL); exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
