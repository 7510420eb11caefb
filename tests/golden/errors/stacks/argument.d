/*
 * A stack is no argument of a subroutine.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	this->s = ustack();
	trace(strlen(this->s));
}
