/*
 * Each use of a process's name takes the same room on the stack, which tools with many of them have little of before Linux 6.13.
 * @filter '/bytes of stack/!d; s/: .*, /: /'
 */
BEGIN
{
	trace(execname);
	trace(execname == "a");
	trace(execname == "b");
	trace(execname == "c");
	trace(execname == "d");
}
