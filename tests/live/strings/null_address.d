/*
 * What is read at a place of a string that is NULL faults with that place as the address.
 * @ref d-language 10.3 null-address
 */
#pragma D option quiet

BEGIN { s = strstr("a", "b"); five = 5; }
BEGIN { trace(s[0]); }
BEGIN { trace(s[1]); }
BEGIN { trace(s[five]); }
BEGIN { trace(*(s + 7)); }
BEGIN { trace(stringof(s + five)); }
BEGIN { trace(strlen(s + 9)); }
BEGIN { trace(strstr("a", "b")[255]); }
BEGIN { self->t = s; trace(self->t[2]); }
BEGIN { printf("the end\n"); exit(0); }

ERROR { printf("clause %d: %d %d\n", arg2, arg4, arg5); }

