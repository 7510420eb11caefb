/*
 * The pointer came through other variables.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	a = (int *)alloca(8);
	self->b = a + 1;
	this->c = self->b;
	e[1] = this->c;
	e[2] = &curthread->pid;
}
