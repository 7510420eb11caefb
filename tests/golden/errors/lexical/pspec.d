/*
 * With pspec the first word of a declaration is a probe's description.
 * @args -x errtags -x nolibs -x pspec
 * @ref d-language 1.9 pspec; options 4 pspec
 */
int
{
	trace(1);
}
