/*
 * A pointer to a translated object is no key of an aggregation.
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
	@[xlate <struct s *> (1)] = count();
}
