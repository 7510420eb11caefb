/*
 * setopt of what does not exist, cannot change or has no such value: a message each, on stderr;
 * the rest of the record prints, ERROR does not fire.
 * @stderr
 * @ref d-builtins 6 messages no-error-probe
 * @ref output 14 setopt-failure rest-prints; output 15 setopt-dynamic-only
 * @ref d-language 22.3 library
 * @ref d-errors 4 library
 * @ref d-builtins 4 setopt
 * @ref d-language 22.1 library
 * @ref options 1.1 setopt-wrapping setopt-goes-on active
 */
#pragma D option quiet

BEGIN
{
	printf("before\n");
	setopt("nosuchoption");
	setopt("bufsize", "1m");
	setopt("strsize", "100");
	setopt("aggsortrev", "maybe");
	setopt("switchrate", "soon");
	setopt("stackindent", "-1");
	setopt(strjoin("no", "such"), strjoin("x", "y"));
	printf("after\n");
	exit(0);
}

ERROR
{
	printf("not reached\n");
}
