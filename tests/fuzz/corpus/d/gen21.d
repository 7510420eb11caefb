short g0;
this long t2;
self long long s3;
this int64_t t5;
this string t6;
int8_t g7;
this unsigned long long t9;
this short t10;
self short s12;
self uint16_t s13;
BEGIN
/arg0/
{
	self->s1[(long)0, (unsigned long long)0, (char)0] = (int8_t)0;
	g8 = (long)0;
	this->t11 = (unsigned long long)0;
	@a3[(size_t)0, (long)0] = avg(0);
}

END
{
	self->s3 = g7;
	this->t5++;
}

BEGIN
/g8/
{
	printf("P2.0 %-10s\n", strjoin(substr("tab\there", this->t11 % 9), lltostr(strlen(this->t6))));
	@a3[this->t9, (g0 ? this->t10 : this->t2) & (g7 & 0x40)] = avg(id * self->s1[1, 1, self->s13]);
	printf("P2.2 %.3s %u %o %d\n", "/", (self->s12 = - self->s3) ^^ (unsigned long)(5 / 10u), self->s12 >= self->s12, 251451040031491uL);
}

BEGIN
{
	exit(0);
}

END
{
	printa("@3 %d %d: %@d\n", @a3);
	printf("end\n");
}
