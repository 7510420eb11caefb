/*
 * All system-call probes of a kind, 366 or more, share one program: a table by number gives the probe's id and a bit
 * for each clause.
 * @only programs data active known mine
 */
syscall:::entry
{
	@ = count();
}
