self int s0;
unsigned int g1;
unsigned long g2[uint16_t];
string g4;
long g5;
self int8_t s7;
this int64_t t8;
self char s9;
BEGIN
/arg0/
{
	g3[(unsigned int)0] = (long long)0;
}

syscall::read:entry
{
	g3[1] = - (+ self->s9 != self->s7);
	@r1[stack()] = count();
	printf("P1.2 %-6d %X %s %-6d\n", g1, (g4 = g4) > "a rather long string that takes more than sixty-four bytes of room, surely", ((stringof(arg1))), (size_t)this->t8 > (g2[1] > 5u));
	g3[1] = g2[((timestamp))];
	g5 = (tid == curthread->pid);
	@r1[stack()] = count(); clear(@r1);
	@a1[(unsigned char)(("\344\366\374" < "/usr/bin/cc") >> (char)(((uint64_t)curthread->mm->pgd))), (long)(this->t8 ? (long)0777777777777777777777LL : (g5 > ((rand())))), "BEGIN"] = lquantize((short)(g1 * ~ + self->s9) % 65, 22, 615, 7);
}

BEGIN
/(g1 + self->s7)/
{
	g2[1] %= (self->s9 - ((self->s0 ? g5 : 0xa) ^ (unsigned long)020L)) ^^ (((01750LL && 0x10000uLL) && (g2[1] | self->s9)) && self->s9);
	g4 = g4;
	self->s0 = - this->t8 <= 16u;
	g4 = probefunc;
	g1 %= 32;
}

BEGIN
{
	exit(0);
}

END
{
	printa("@1 %d %d %s: %@d\n", @a1);
	printf("end\n");
}
