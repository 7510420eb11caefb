/*
 * A probe less stable than asked for.
 * @args -x errtags -x amin=Stable/Stable/Common
 * @ref d-errors 2.1 D_ATTR_MIN; d-language 19 amin */
syscall::read:entry
{
	trace(1);
}
