/*
 * Every function that takes strings faults on NULL.
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet

BEGIN { null = (string)NULL; }
BEGIN { x = strchr(null, 'a') == ""; }
BEGIN { x = strrchr(null, 'a') == ""; }
BEGIN { x = strstr(null, "a") == ""; }
BEGIN { x = strstr("a", null) == ""; }
BEGIN { x = index(null, "a"); }
BEGIN { x = index("a", null); }
BEGIN { x = rindex(null, "a"); }
BEGIN { x = rindex("a", null); }
BEGIN { x = strtok("a", null) == ""; }
BEGIN { x = cleanpath(null) == ""; }
BEGIN { x = toupper(null) == ""; }
BEGIN { x = tolower(null) == ""; }
BEGIN { x = strtoll(null); }
BEGIN { x = json(null, "a") == ""; }
BEGIN { x = json("{}", null) == ""; }
BEGIN { x = strlen(null); }
BEGIN { x = strjoin(null, "a") == ""; }
BEGIN { x = strjoin("a", null) == ""; }
BEGIN { x = substr(null, 0) == ""; }
BEGIN { x = basename(null) == ""; }
BEGIN { x = dirname(null) == ""; }
BEGIN { exit(0); }

ERROR
/arg4 == DTRACEFLT_BADADDR && arg5 == 0/
{
	@ = count();
	last = arg2;
}

END
{
	printa("%@d faults", @);
	printf(", the last in clause %d\n", last);
}
