/*
 * trace: layout by type and width, in columns.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:BEGIN)/  0\1/'
 * @ref d-builtins 5.1 string signed unsigned pointer sign-of-type one-line
 * @ref output 3 sizes-of-types signed-8 signed-4 signed-2 signed-1 unsigned-8 unsigned-4 unsigned-2 unsigned-1 pointer string empty-string
 * @ref d-builtins 4 trace
 */
BEGIN
{
	trace(1);
	trace((char)-2);
	trace((short)-3);
	trace((int64_t)-4);
}

BEGIN
{
	trace((unsigned char)255);
	trace((unsigned short)65535);
	trace((unsigned int)-1);
	trace((uint64_t)-1);
	trace((void *)4096);
}

BEGIN
{
	trace("str");
	trace(probename);
	trace("");
	trace(strjoin("a", "b"));
	trace("a string of more than thirty-three characters");
	trace('x');
}

BEGIN
{
	trace(1 == 1);
	trace(sizeof(int));
	trace((int64_t)5 > 3 ? (char)1 : (char)2);
	exit(0);
}
