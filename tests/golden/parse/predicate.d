/*
 * Where a / ends a predicate and where it divides.
 * @status 1
 * @filter '/^dtrace: /d'
 * @ref d-language 1.3 slash-in-predicate */
BEGIN /a / b/ { c; }
BEGIN /a / (b / c)/ { d / e; }
BEGIN /(a / b) / c/{ d; }
BEGIN /a[1 / 2] / f(3 / b)/
{
	a /= b / c;
}
BEGIN /a
/ b
/
{
	c;
}
BEGIN/a/{}END/b/{}
BEGIN /a /* comment */ / { b; }
BEGIN /a / 2 == b/ { }
BEGIN /a, b/ { }
BEGIN /a = 1/ { }
BEGIN /a ? b : c/ { }
BEGIN /"/" == a/ { }
BEGIN /'/' == a/ { }
