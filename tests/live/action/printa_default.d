/*
 * printa without a format: rows sorted by value, then key; once printed, not again at the end.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  0\1/'
 * @ref d-builtins 7.4 default-form no-data key-64-32 key-16-8-unsigned key-strings values
 * @ref output 8 printed-flag; output 8.4 by-value ties-by-key
 * @ref d-builtins 7.4 not-printed-again sort-by-value empty-at-end
 */
BEGIN
{
	@str["x"] = sum(5);
	@str["a longer key than the others, of more than fifty characters"] = sum(7);
	@str["y"] = sum(-6);
	@str["tie"] = sum(5);
	@int[(char)-1, (short)-1, -1, (int64_t)-1] = count();
	@int[(char)2, (short)3, 4, (int64_t)5] = count();
	@ptr[(void *)4096, probename, execname == "x"] = max(1);
	@plain = count();
	@late[1] = count();
	@gone["never printed"] = count();
	printa(@str);
}

BEGIN
{
	printa(@int);
	printa(@ptr);
	printa(@plain);
	trunc(@gone);
	printa(@gone);
	@str["x"] = sum(100);
	exit(0);
}

END
{
	printa(@str);
	@plain = count();
}
