/*
 * Speculations.
 * @args -x errtags
 */
BEGIN
{
	self->s = speculation();
	speculate(self->s);
}
