/*
 * Macro variables: operands as tokens and as strings, the named ones, in descriptions too.
 * @args -- 17 -0x10 017 name "two words" '"quoted\tstring"' '' BEGIN 5ul +3 last
 * @ref d-language 2 operand-token operand-string script-name named named-string integer-operand
 * @ref d-language 2 identifier-operand string-operand empty-operand in-descriptions
 */
#pragma D option quiet

dtrace:::$8
{
	name = 4;
	printf("integers %d %d %d %d %d\n", $1, $2, $3, $9, $10);
	printf("types %d %d %d\n", sizeof($1), sizeof($9), $2 < 0);
	printf("in expressions %d %d %d\n", $1 + $1, -$2, 2 * $3 - $1);
	printf("identifier %d\n", $4);
	$4 = 5;
	$4++;
	printf("assigned %d %d\n", name, $4);
	printf("strings [%s] [%s] [%s]\n", $5, $6, $7);
	printf("as strings [%s] [%s] [%s] [%s]\n", $$1, $$2, $$3, $$4);
	printf("as strings [%s] [%s] [%s] [%s]\n", $$5, $$7, $$9, $$10);
	printf("script [%s] [%s]\n", basename($0), basename($$0));
	printf("named %d %d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid);
	printf("named %d %d %d %d\n", $euid == uid, $egid == gid, $pgid > 0, $sid >= 0);
	printf("named as strings %d %d %s\n", $$pid == lltostr(pid), $$uid == lltostr(uid), $$target);
	printf("target %d\n", $target);
	printf("last %s\n", $$11);
	exit(0);
}

END
/$1 == 17 && $$4 == "name"/
{
	printf("in a predicate\n");
}
