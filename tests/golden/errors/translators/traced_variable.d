/*
 * trace() takes no variable that holds a translated object.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_DYN; d-language 16.2 trace */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	p = xlate <struct s *> (1);
	trace(p);
}
