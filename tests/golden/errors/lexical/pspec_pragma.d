/*
 * The same by pragma, from there on.
 * @args -x errtags -x nolibs
 * @ref d-language 1.9 pspec
 */
int before;
#pragma D option pspec
pid_t
{
	trace(1);
}
