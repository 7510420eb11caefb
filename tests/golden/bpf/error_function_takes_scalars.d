/*
 * The clauses of dtrace:::ERROR are one function of four numbers (clause, probe, fault, address), which the verifier
 * checks once; a program calls it and passes constants.
 * @filter '/^Disassembly/,/r1 = map dt_drops/d'
 */
unsigned a, b;

dtrace:::ERROR
{
	b = arg4;
}

BEGIN
{
	a = a / b;
}
