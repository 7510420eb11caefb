/*
 * #pragma D option, before and between clauses.
 * @ref d-language 18 option ident unknown-pragma
 * @ref d-language 18.1 bare-boolean sizes
 * @ref d-language 1.1 control-line
 * @ref options 1 pragma pragma-anywhere
 */
#pragma D option quiet
#pragma	D   option  strsize=0x10
	# pragma D option aggsortrev
/* between */
BEGIN
{
	printf("%d\n", sizeof(string));
	@["a"] = sum(1);
	@["b"] = sum(2);
	exit(0);
}

#pragma D option aggsortkey=yes
#pragma unknown words are ignored
#ident "so is this"
#pragma ident "and this"
END
#pragma D option switchrate=10hz
{
	printf("end\n");
}
