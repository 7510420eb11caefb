/*
 * rawbytes: a string is strsize + 1 bytes, whatever it comes from, NULs after its end; a literal its length + 1. As keys, too.
 * @args -x rawbytes -x strsize=20 -q
 * @ref output 3 rawbytes raw-string
 * @ref d-builtins 5.1 rawbytes
 */
string<5> sized;

BEGIN
{
	s = "longer than it is now";
	s = "abc";
	sized = "abc";
	trace(s);
	trace(execname);
	trace(probeprov);
	trace("literal");
	trace("");
	trace("cut after twenty characters");
	trace(sized);
	trace(strjoin(s, s));
	trace(sized + 1);
	@variable[s] = count();
	@name[execname] = count();
	@probe[probename] = count();
	@literal["ab"] = count();
	@sized[sized] = count();
	exit(0);
}
