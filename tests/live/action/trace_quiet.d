/*
 * trace: only the data with the option quiet.
 * @ref d-builtins 5.1 string signed unsigned pointer sign-of-type
 * @ref d-builtins 5.0 quiet
 */
#pragma D option quiet

BEGIN
{
	trace(1);
	trace(" ");
	trace((char)-2);
	trace((short)-3);
	trace((int64_t)-4);
	trace(" ");
	trace((unsigned char)255);
	trace((unsigned short)65535);
	trace((unsigned int)-1);
	trace((uint64_t)-1);
	trace(" ");
	trace((void *)4096);
	trace(strjoin("-", probename));
	trace("\n");
	exit(0);
}
