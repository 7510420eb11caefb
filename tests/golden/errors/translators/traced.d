/*
 * A translated object has no form to print.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_DYN; d-language 16.2 trace */
struct s {
	int a;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	trace(xlate <struct s> (1));
}
