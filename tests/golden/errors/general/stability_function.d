/*
 * A function less stable than asked for.
 * @args -x errtags -x amin=Stable/Stable/Common
 * @ref d-errors 2.1 D_ATTR_MIN; d-language 19 amin evolving-functions */
dtrace:::BEGIN
{
	trace(ntohs(1));
}
