/*
 * Names of the probe cost nothing in a record: the consumer knows them by the probe's id in the header.
 * @only body reserved
 */
BEGIN
{
	printf("%s:%s:%s:%s", probeprov, probemod, probefunc, probename);
}
