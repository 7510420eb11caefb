/*
 * It is no key of an associative array, in a variable either.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 15 illegal-keys */
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
	seen[p] = 1;
}
