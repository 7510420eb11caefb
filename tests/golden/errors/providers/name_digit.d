/*
 * A provider's name that ends in a digit.
 * @args -x errtags
 * @ref d-errors 2.6 D_PROV_BADNAME; d-language 23 name */
provider p1 {
	probe x();
};

BEGIN
{
	trace(1);
}
