/*
 * A translated argument without translator.
 * @args -x errtags
 * @ref d-errors 2.6 D_PROV_PRXLATOR; d-language 23 no-translator */
provider p {
	probe x(int i) : (struct nosuch *i);
};

BEGIN
{
	trace(1);
}
