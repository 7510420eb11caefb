/*
 * A variable declared without a type is an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 7.1 default-int */
self x;

BEGIN
{
	self->x = "a";
}
