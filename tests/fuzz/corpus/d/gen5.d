self char s1[size_t, char];
this string t2;
this char t3;
string g4;
short g5[string];
this long t6;
this char t7;
this unsigned char t8;
self uint64_t s9[string, short, unsigned long long];
BEGIN
/arg0/
{
	g0 = (long)0;
}

BEGIN
/this->t3/
{
	printf("P1.0 %s %o %-6d\n", g4, (size_t)((g0 %= g0) > (self->s9["k", 1, 1] == g0)) % this->t6, arg2);
	this->t7 = strlen(dirname(strjoin(self->s1[1, 1] ? g4 : g4, "a/")));
	printf("T1.2 "); trace(g4); printf("\n");
}

BEGIN
/((id || self->s1[1, 1]) + (213803 ? this->t8 : errno) || (this->t3 || 1000) != strlen(g4))/
{
	printf("P2.0 %d %d %s %X\n", strjoin(substr(lltostr(this->t8), this->t3 * '\n' % 9, self->s1[1, 1] * self->s9["k", 21911385024216, 1]), probename) == dirname(g4 = g4), self->s9["k", self->s1[1, 1], 1], lltostr(503464028948848), (unsigned int)this->t8 & - (65 ? g5["/usr/bin/cc"] : 2u) * 64);
}

ERROR
{
	printf("EP3.0 %.3s %o\n", basename(probeprov), + (128 && 0xb5e8c4a00aa68d));
}

BEGIN
/((long long)sizeof (this->t6) * ~ (this->t3 + 100L))/
{
	@a3 = llquantize((int)strlen(substr(substr(probefunc, 0x1ebcbu % 9, 128L), 58639u / this->t8, g0 ? arg7 : self->s9["k", self->s9["BEGIN", this->t7, 1], 1])), 2, 0, 20, 2);
	g0++;
	this->t2 = dirname(dirname(g4));
	@a0[(unsigned char)((g5["/"] < this->t6) << g5[this->t2] * this->t3), (int64_t)(self->s9[this->t2, g0, 1] ? this->t6 : 'a')] = lquantize((int)- (self->s9["k", self->s9["k", 65536, 1], g5["getppid"]] >= self->s1[7, 1]), -91, 56, 8);
}

BEGIN
{
	exit(0);
}

END
{
	printa("@0 %d %d: %@d\n", @a0);
	printa("@3: %@d\n", @a3);
	printf("end\n");
}
