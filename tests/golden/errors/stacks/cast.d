/*
 * A stack is not cast.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_CAST_INVAL */
BEGIN
{
	this->s = ustack();
	trace((int64_t)this->s);
}
