/*
 * A probe declared twice.
 * @args -x errtags
 * @ref d-errors 2.6 D_PROV_PRDUP; d-language 23 duplicate-probe */
provider p {
	probe x();
	probe x();
};

BEGIN
{
	trace(1);
}
