/*
 * NULL where a string is used: each use faults with address 0 and the clause ends there.
 * @ref d-builtins 0 null-strings-fault
 * @ref d-language 10.4 null-use-faults
 * @ref d-language 8.3 unset-string-used
 * @ref d-builtins 8.3 null-string
 */
#pragma D option quiet

string element[int];

BEGIN { x = strstr("a", "b"); }
BEGIN { trace(strlen(x)); }
BEGIN { trace(strjoin(x, "a")); }
BEGIN { trace(strjoin("a", x)); }
BEGIN { trace(strchr(x, 'a')); }
BEGIN { trace(strrchr(x, 'a')); }
BEGIN { trace(strstr(x, "a")); }
BEGIN { trace(strstr("a", x)); }
BEGIN { trace(index(x, "a")); }
BEGIN { trace(index("a", x)); }
BEGIN { trace(rindex(x, "a", 1)); }
BEGIN { trace(rindex("a", x, 1)); }
BEGIN { trace(substr(x, 0)); }
BEGIN { trace(substr(x, 0, 0)); }
BEGIN { trace(basename(x)); }
BEGIN { trace(dirname(x)); }
BEGIN { trace(cleanpath(x)); }
BEGIN { trace(stringof(x)); }
BEGIN { trace((string)x); }
BEGIN { trace(x); }
BEGIN { printf("%s", x); }
BEGIN { printf("%S", x); }
BEGIN { trace(element[1]); }
BEGIN { trace(self->unset = element[2]); }
BEGIN { printf("%s", strstr("a", "b")); }
BEGIN { trace(strlen(strstr("a", "b"))); }
BEGIN { trace(strlen(NULL)); }
BEGIN { y = strjoin(x, x); }
BEGIN { trace(x[0]); }
BEGIN { trace(*x); }
BEGIN { trace(1 ? x : "not this"); }
BEGIN { printf("%s\n", 0 ? x : "the other is not used"); }
BEGIN { printf("the end\n"); exit(0); }

ERROR { printf("clause %d: %d %d\n", arg2, arg4, arg5); }
