/*
 * Another interface for a provider that is there.
 * @args -x errtags
 * @ref d-errors 2.6 D_PROV_INCOMPAT; d-language 23 redefined */
provider dtrace {
	probe BEGIN(int);
};

BEGIN
{
	trace(1);
}
