/*
 * A subroutine takes no translated object.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-language 16.2 trace */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	trace(copyinstr(xlate <struct s *> (1)));
}
