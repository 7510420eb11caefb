/*
 * Attributes of what another program defines.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_SCOPE; d-language 18 provider-attributes-bad */
#pragma D attributes Private/Private/Common pid

BEGIN
{
	trace(1);
}
