/*
 * More parameters than there can be.
 * @args -x errtags
 * @ref d-errors 2.6 D_PROV_PRARGLEN; d-language 23 argument-limit */
provider p {
	probe x(int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int);
};

BEGIN
{
	trace(1);
}
