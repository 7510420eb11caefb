/*
 * The first use of a key does not limit the next: shorter, longer, then computed; in any place.
 * @ref d-language 15 string-keys
 */
#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	@a["", 1] = count();
	@a["abcdefghijklmnopqrstuvwxyz", 1] = count();
	@a["a", 1] = count();
	@b[1, "short", "s"] = count();
	@b[1, "short", strjoin("a longer ", "string than that")] = count();
	@b[1, "a literal longer than the first one", "s"] = count();
	@c[execname] = count();
	@c["a literal longer than execname can be"] = count();
	@d[probename] = count();
	@d["BEGIN"] = count();
	@d["a literal that is no probe's name"] = count();
	@e["literal"] = count();
	@e[probename] = count();
	@f[probename] = count();
	@f[probeprov] = count();
	exit(0);
}

END
{
	@a["end", 1] = count();
	@f[probename] = count();
}
