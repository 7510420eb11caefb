string g6;
END
{
	@a1 = lquantize((short)strlen(g6), 93, 175, 8);
}

BEGIN
{
	exit(0);
}

END
{
	printa("@1: %@d\n", @a1);
	printf("end\n");
}
