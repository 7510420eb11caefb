/*
 * if, while, for, foreach and blocks.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 21
 * @ref d-language 3
 * @status 1
 */
BEGIN
{
	if (a)
		b;
	else if (c) {
		d;
		e
	} else
		f;
	if (g) if (h) i; else j
}
BEGIN
{
	while (a < 3)
		a++;
	for (i = 0, j = 1; i < 3; i += 2) {
		if (x)
			continue;
		{ y; { } }
		break
	}
	for (;;)
		;
}
END, tick-1s
/a/
{
	foreach (k in a)
		trace(k);
	foreach (k, l in self->b) {
		@[k, l] = count();
	}
	/* where neither word means anything */
	foreach = in + foreach(in);
}
BEGIN { 1 + ; }
