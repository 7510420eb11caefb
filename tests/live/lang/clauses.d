/*
 * Clauses: lists, globs, omitted parts, ids, predicates, the order in which they run.
 * @trigger calls getppid 2
 * @ref d-language 4 one-component two-components three-components four-components
 * @ref d-language 4 empty-component glob-star glob-question glob-sets numeric-id every-match
 * @ref d-language 4 begin-id
 * @ref d-language 3 description-list empty-statements statements-separated
 * @ref d-language 5.6 scalar side-effects body-typed-first
 * @ref d-language 5.1 program-order predicate-skips
 * @ref d-language 1.1 comments
 */
#pragma D option quiet

BEGIN { printf("name only\n"); }
dtrace:::BEGIN { printf("provider and name\n"); }
:::BEGIN { printf("colons\n"); }
dtrace::: /id == 1/ { printf("any name %s\n", probename); }
dt*:::B?G[A-J]N { printf("glob\n"); }
*:*:*:BEGIN { printf("stars\n"); }
dtrace:::[!A]EGIN { printf("negated set\n"); }
1 { printf("by id %s\n", probename); }
::BEGIN{printf("no blanks\n");}
BEGIN, dtrace:::BEGIN /id == 1/ { printf("twice\n"); }
BEGIN
,
dtrace:::END
{
	/* the same clause for two probes */
	printf("list %s\n", probename);
}

BEGIN /0/ { printf("never\n"); }
BEGIN /1/ { printf("always\n"); }
BEGIN /i++ < 1/ { printf("side effect %d\n", i); }
BEGIN /i++ < 1/ { printf("not again\n"); }
BEGIN /i == 2 && i / 2 == 1/ { printf("a division %d\n", i); }
BEGIN /(i / 2)/ { printf("in parentheses\n"); }
BEGIN /made/ { made = 1; printf("not yet\n"); }
BEGIN /!made/ { made = 1; printf("made\n"); }
BEGIN /made/{printf("now\n");}BEGIN/made/{printf("and again\n");}
BEGIN /curthread/ { printf("pointer\n"); }
BEGIN /NULL/ { printf("not here\n"); }
BEGIN { ; ; printf("empty statements"); ; printf("\n"); }
BEGIN { printf("no semicolon\n") }
BEGIN { x = 1; y = 2; x = y }
BEGIN /x == 2/ { printf(/* a comment
	over a line */ "comment\n" /* another */); /* */ /**/ }

syscall::getppid:entry, syscall::getppid:return
/pid == $target/
{
	printf("%s:%s\n", probefunc, probename);
}

syscall::getpp*: /pid == $target/ { @["getpp*:"] = count(); }
syscall:vmlinux:getppid:entry /pid == $target/ { @["four parts"] = count(); }
getppid:entry /pid == $target/ { @["two parts"] = count(); }
syscall::[fg]etppid:e* /pid == $target/ { @["set"] = count(); }
sys*::*etppid:*n* /pid == $target/ { @["stars"] = count(); }
syscall::getppi?:return /pid == $target/ { @["question mark"] = count(); }
