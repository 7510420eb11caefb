/*
 * inet_ntoa(), inet_ntop() and link_ntop() of scratch memory, of what was copied from the process and of kernel memory;
 * printed, assigned, compared, as keys and as arguments of others.
 * @trigger values memory
 * @ref d-builtins 3.3 inet_ntoa inet_ntop link_ntop
 * @ref d-builtins 2 nested-subroutines
 */
#pragma D option quiet

BEGIN
{
	this->a = (uint32_t *)alloca(4);
	*this->a = htonl(0xc0a80a01);
	printf("%s %s %s\n", inet_ntoa(this->a), inet_ntop(2, this->a), inet_ntop(1 + 1, (void *)this->a));
	*this->a = 0;
	printf("%s ", inet_ntoa(this->a));
	*this->a = 0xffffffff;
	printf("%s ", inet_ntoa(this->a));
	*this->a = htonl(0x7f000001);
	printf("%s\n", inet_ntoa(this->a));
	s = inet_ntoa(this->a);
	*this->a = 0;
	printf("assigned %s %d\n", s, strlen(s));
	printf("compared %d %d\n", s == "127.0.0.1", inet_ntoa(this->a) != s);
	printf("argument %s %s %d\n", strjoin(inet_ntoa(this->a), "/8"), substr(s, 4), index(s, inet_ntoa(this->a)));
}

syscall::getppid:entry
/pid == $target && arg0 > 4096 && n++ == 0/
{
	this->b = (char *)copyin(arg0, 32);
	printf("%s %s\n", inet_ntoa((uint32_t *)this->b), inet_ntoa((uint32_t *)(this->b + 7)));
	printf("%s\n", inet_ntoa6((struct in6_addr *)(this->b + 16)));
	printf("%s\n", link_ntop(1, this->b + 10));
	printf("%s\n", link_ntop(32, this->b + 12));
	this->af = 10;
	printf("%s ", inet_ntop(this->af, this->b));
	this->af = 2;
	printf("%s\n", inet_ntop(this->af, this->b));
	this->type = 32;
	printf("%d %d\n", strlen(link_ntop(this->type, this->b)), strlen(link_ntop(this->type - 31, this->b)));
	ether[link_ntop(1, this->b)] = 5;
	@[inet_ntoa((uint32_t *)(this->b + 28)), link_ntop(1, this->b)] = count();
}

/* The name of the thread, four letters at least, in kernel memory. */
BEGIN
{
	this->c = (unsigned char *)&curthread->comm[0];
	this->want = strjoin(strjoin(lltostr(this->c[0]), strjoin(".", lltostr(this->c[1]))),
		strjoin(strjoin(".", lltostr(this->c[2])), strjoin(".", lltostr(this->c[3]))));
	printf("of the kernel: %d %d\n", inet_ntoa((uint32_t *)this->c) == this->want,
		inet_ntop(2, &curthread->comm) == this->want);
}

END
{
	printf("element %d\n", ether["00:01:02:03:04:05"]);
	printa("%s %s %@d\n", @);
}
