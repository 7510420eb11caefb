this string t0;
self short s2;
uint16_t g4;
this short t5;
BEGIN
/arg0/
{
	this->t1 = (char)0;
	self->s3[(uint16_t)0, (uint64_t)0, ""] = (unsigned int)0;
	@a0[(char)0, (unsigned long long)0] = llquantize(0, 3, 0, 5, 1);
}

BEGIN
{
	printf("P1.0 %s %+d\n", substr("tab\there", this->t5 % 9, self->s3[63u, self->s2, "k"]), ! (((this->t0 <= "/usr/") + this->t5) < ((0x4 ^ this->t5) == (self->s3[this->t1, 0x0L, this->t0] ^^ this->t1))));
	this->t1 = 0x10u > 0LL;
	printf("P1.2 %u\n", this->t5);
}

syscall::write*:
{
	printf("T2.0 "); trace(- (3212103681394083639u - ((arg5)))); printf("\n");
	@a0[(65535 + (((arg0 > 0 ? arg1 : arg2)))) ? strlen("/usr/") : (64 - ((rand()))), self->s2] = llquantize((short)((epid == epid) > ((arg0))) % 109437987413, 3, 0, 5, 1);
	printf("P2.2 %-6d %s\n", self->s2, ((copyinstr(arg1, arg2))));
	printf("%p %a", arg0, arg1);
	stack();
	g4 = + ((((uint64_t)curthread->mm)) < ((10 < (((arg0 > 0 ? arg1 : arg2)))) + (uint16_t)0x100000000));
	@a1[((stringof(curthread->real_parent->comm))), this->t0] = count();
}

BEGIN
{
	printf("P3.0 %d\n", ~ 148387929871uLL);
}

BEGIN
{
	exit(0);
}

END
{
	printa("@0 %d %d: %@d\n", @a0);
	printa("@1 %s %s: %@d\n", @a1);
	printf("end\n");
}
