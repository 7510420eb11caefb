/*
 * An aggregation as an argument of a function of the program.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
int twice(int a) { return a * 2; }
BEGIN
{
	@a = count(); trace(twice(@a));
}
