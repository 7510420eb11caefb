/*
 * A string that has to be built needs scratch memory: the program claims a slot before its clauses, counts a drop if
 * none is free, and releases the slot at its end.
 * @only entry active noslot slot nextclause
 */
BEGIN
{
	s = strjoin(execname, "!");
}
