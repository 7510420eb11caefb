/*
 * A program that counts is 19 instructions: it tests the activity word, looks up its value and adds to it.
 */
sched:::on-cpu
{
	@ = count();
}
