unsigned int g0;
string g2;
self long s3[uint64_t, unsigned int];
this int64_t t5;
self string s6;
self unsigned char s8;
BEGIN
/arg0/
{
	g1 = "";
	self->s4 = (unsigned long long)0;
	self->s7 = (int8_t)0;
}

BEGIN
{
	printf("P1.0 %u %-10s %x %-6d\n", g0 = g0, substr(g1, self->s3[1, (char)0xffffffffLL]++ % 9), (short)(- 431821640720 || (self->s4 ? this->t5 : self->s8)) || (self->s8 - (strlen(self->s6) + (0x80000000 - self->s4))), (dirname(g2) == substr(g1, 037777777777, 32767)) ? (self->s7 / 32768L) >> strlen("123456789abcdef") : ((arg0 , 0x10) * (long long)self->s8));
	self->s4 *= arg5;
	self->s8 += strlen(probename);
}

END
/sizeof (strlen(g1))/
{
	printf("T2.0 "); trace((((arg5 ? 0x3f : 0x41) ^^ (int64_t)0x8000000000000000u) * this->t5) <= ((g2 = g1) == "b" , (g1 != "1234567") ^^ (1000 + g0))); printf("\n");
	printf("P2.1 %x %o %s %u\n", strlen(probeprov), strlen(strjoin(self->s6, probefunc)) - ((char)this->t5 ^^ (uint16_t)2), g2, (((0x7f < self->s7) + (10L >= self->s7)) > (basename("//") < strjoin("\"quoted\"", g2))) < 10LL);
	printf("P2.2 %+d\n", self->s3[1, 1]);
	printf("P2.3 %+d %i\n", (g1 == g2) % (long)this->t5, 2147483646L >> (self->s7 | ((short)self->s8 ^ (4294967295 + 9223372036854775807L))));
}

BEGIN
{
	exit(0);
}

END
{
	printf("end\n");
}
