/*
 * Enumerators of the kernel are not known away from a value of their enum.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 7.4 kernel-enumerators */
BEGIN
{
	trace(HRTIMER_RESTART);
}
