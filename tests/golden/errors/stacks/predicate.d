/*
 * A call of stack() is no condition; a variable is.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.2 D_PRED_SCALAR */
BEGIN
{
	s = stack();
}

BEGIN
/s/
{
}

BEGIN
/stack()/
{
}
