/*
 * strtok() of NULL at run time, with NULL as delimiters, and going on without a text.
 * @ref d-builtins 3.2 strtok strtok-null
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet

BEGIN { printf("no %s", strtok(NULL, ",")); }
BEGIN { printf("no %s", strtok(0, "")); }
BEGIN { none = strstr("a", "b"); printf("no %s", strtok(none, ",")); }
BEGIN { printf("no %s", strtok(strchr("a", 'b'), ",")); }
BEGIN { printf("no %s", strtok("a", none)); }
BEGIN { printf("no %s", strtok("a", NULL)); }
BEGIN { printf("%s", strtok("a b", " ")); printf(" no %s", strtok(NULL, none)); }
BEGIN { printf("after the faults %s\n", strtok("a b", " ")); }
BEGIN { printf("%s\n", strtok(NULL, " ")); exit(0); }

ERROR { printf("clause %d: %d %d\n", arg2, arg4, arg5); }
