/*
 * A translated object is no key.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 15 illegal-keys */
struct s {
	int a;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	@[xlate <struct s> (1)] = count();
}
