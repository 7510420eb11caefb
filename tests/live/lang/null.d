/*
 * NULL is the constant 0: compatible with integers, pointers and strings; a variable that was only
 * NULL gets its type from the next assignment.  An empty format prints nothing.
 * @args -q
 * @ref d-builtins 1 NULL; d-builtins 4 printf-literal-format
 */
BEGIN
/arg0 == NULL && NULL == arg1 && !NULL/
{
	self->ts = 7;
	self->ts = NULL;
	printf("%d %d\n", self->ts, self->ts == NULL);
	printf("%d %u %x %p\n", NULL, NULL, NULL, NULL);
	printf("");
	this->x = pid ? NULL : pid;
	this->y = pid ? pid : NULL;
	printf("%d %d\n", this->x, this->y == pid);
	this->t = pid ? curthread : NULL;
	printf("%d\n", this->t->tgid == pid);
	printf("%s\n", pid ? execname : NULL);
}

/* the first assignment says nothing of the type, whatever comes after it */
BEGIN
{
	i = NULL;
	i = 1 + NULL;
	printf("%d\n", i);
	l = NULL;
	l = (uint64_t)1 << 40;
	printf("%d\n", l);
	p = NULL;
	p = curthread;
	printf("%d\n", p->tgid == pid && p != NULL);
	a["k"] = NULL;
	a["k"] = curthread;
	printf("%d\n", a["k"]->tgid == pid);
	s = execname;
	s = NULL;
	printf("%d\n", s == NULL);
}

BEGIN
{
	@[NULL] = sum(NULL + 3);
	@e = count();
	printa("", @e);
	@k[curthread == NULL, execname != NULL] = count();
	exit(NULL);
}
