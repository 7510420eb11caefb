/*
 * Bitwise operators on every pair of integer types.
 * @ref d-language 9.1 integer-only
 */
#pragma D option quiet

char c;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned int u;
long l;
unsigned long ul;

BEGIN
{
	c = -100;
	uc = 200;
	s = -30000;
	us = 60000;
	i = -2000000000;
	u = 4000000000;
	l = -9000000000000000000;
	ul = 18000000000000000000u;
}

BEGIN
{
	printf("c &: %d %d %d %d %d %d %d %d\n",
		c & c, c & uc, c & s, c & us, c & i, c & u, c & l, c & ul);
	printf("uc &: %d %d %d %d %d %d %d %d\n",
		uc & c, uc & uc, uc & s, uc & us, uc & i, uc & u, uc & l, uc & ul);
	printf("s &: %d %d %d %d %d %d %d %d\n",
		s & c, s & uc, s & s, s & us, s & i, s & u, s & l, s & ul);
	printf("us &: %d %d %d %d %d %d %d %d\n",
		us & c, us & uc, us & s, us & us, us & i, us & u, us & l, us & ul);
	printf("i &: %d %d %d %d %d %d %d %d\n",
		i & c, i & uc, i & s, i & us, i & i, i & u, i & l, i & ul);
	printf("u &: %d %d %d %d %d %d %d %d\n",
		u & c, u & uc, u & s, u & us, u & i, u & u, u & l, u & ul);
	printf("l &: %d %d %d %d %d %d %d %d\n",
		l & c, l & uc, l & s, l & us, l & i, l & u, l & l, l & ul);
	printf("ul &: %d %d %d %d %d %d %d %d\n",
		ul & c, ul & uc, ul & s, ul & us, ul & i, ul & u, ul & l, ul & ul);
	printf("c |: %d %d %d %d %d %d %d %d\n",
		c | c, c | uc, c | s, c | us, c | i, c | u, c | l, c | ul);
	printf("uc |: %d %d %d %d %d %d %d %d\n",
		uc | c, uc | uc, uc | s, uc | us, uc | i, uc | u, uc | l, uc | ul);
	printf("s |: %d %d %d %d %d %d %d %d\n",
		s | c, s | uc, s | s, s | us, s | i, s | u, s | l, s | ul);
	printf("us |: %d %d %d %d %d %d %d %d\n",
		us | c, us | uc, us | s, us | us, us | i, us | u, us | l, us | ul);
	printf("i |: %d %d %d %d %d %d %d %d\n",
		i | c, i | uc, i | s, i | us, i | i, i | u, i | l, i | ul);
	printf("u |: %d %d %d %d %d %d %d %d\n",
		u | c, u | uc, u | s, u | us, u | i, u | u, u | l, u | ul);
	printf("l |: %d %d %d %d %d %d %d %d\n",
		l | c, l | uc, l | s, l | us, l | i, l | u, l | l, l | ul);
	printf("ul |: %d %d %d %d %d %d %d %d\n",
		ul | c, ul | uc, ul | s, ul | us, ul | i, ul | u, ul | l, ul | ul);
	printf("c ^: %d %d %d %d %d %d %d %d\n",
		c ^ c, c ^ uc, c ^ s, c ^ us, c ^ i, c ^ u, c ^ l, c ^ ul);
	printf("uc ^: %d %d %d %d %d %d %d %d\n",
		uc ^ c, uc ^ uc, uc ^ s, uc ^ us, uc ^ i, uc ^ u, uc ^ l, uc ^ ul);
	printf("s ^: %d %d %d %d %d %d %d %d\n",
		s ^ c, s ^ uc, s ^ s, s ^ us, s ^ i, s ^ u, s ^ l, s ^ ul);
	printf("us ^: %d %d %d %d %d %d %d %d\n",
		us ^ c, us ^ uc, us ^ s, us ^ us, us ^ i, us ^ u, us ^ l, us ^ ul);
	printf("i ^: %d %d %d %d %d %d %d %d\n",
		i ^ c, i ^ uc, i ^ s, i ^ us, i ^ i, i ^ u, i ^ l, i ^ ul);
	printf("u ^: %d %d %d %d %d %d %d %d\n",
		u ^ c, u ^ uc, u ^ s, u ^ us, u ^ i, u ^ u, u ^ l, u ^ ul);
	printf("l ^: %d %d %d %d %d %d %d %d\n",
		l ^ c, l ^ uc, l ^ s, l ^ us, l ^ i, l ^ u, l ^ l, l ^ ul);
	printf("ul ^: %d %d %d %d %d %d %d %d\n",
		ul ^ c, ul ^ uc, ul ^ s, ul ^ us, ul ^ i, ul ^ u, ul ^ l, ul ^ ul);
	exit(0);
}
