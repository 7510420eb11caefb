/*
 * What two probes update at once is updated by one atomic instruction.
 * @filter '/lock|Disassembly/!d'
 */
syscall::read:entry
{
	@ = sum(arg2);
}

profile:::tick-1s
{
	@ = sum(1);
}
