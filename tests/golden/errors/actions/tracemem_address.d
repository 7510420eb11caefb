/*
 * A string for an address.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_ADDR; d-builtins 4 tracemem-errors; output 4 address-types */
BEGIN
{
	tracemem("a", 5);
}
