		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int,
		int, int, int, int, int, int, int, int);
};

BEGIN
{
	trace(1);
}
