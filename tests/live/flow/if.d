/*
 * if, else if and else: the branch taken alone acts, conditions are evaluated when they are reached
 * and only then, with what the statements before them did.
 * @ref d-language 21 if else if-nested
 */
#pragma D option quiet

int zero;

BEGIN { if (1) printf("one\n"); }
BEGIN { if (zero) printf("never\n"); }
BEGIN { if (1) printf("then\n"); else printf("never\n"); }
BEGIN { if (zero) printf("never\n"); else printf("else\n"); }

BEGIN
{
	for (this->i = 0; this->i < 5; this->i++) {
		if (this->i == 0)
			printf("first");
		else if (this->i == 1)
			printf(" second");
		else if (this->i == 2) {
			printf(" third");
		} else {
			printf(" other");
			n++;
		}
	}
	printf(" %d\n", n);
}

/* conditions have side effects once, and only those that are reached */
BEGIN
{
	a = b = c = 0;
	if (a++ == 0)
		this->x = 1;
	else if (b++ == 0)
		this->x = 2;
	if (a++ == 0)
		this->x = 3;
	else if (b++ == 0)
		this->x = 4;
	else if (c++ == 0)
		this->x = 5;
	printf("%d %d %d, %d\n", a, b, c, this->x);
}

/* a condition sees what was assigned above it, and is not asked again */
BEGIN
{
	t = 1;
	if (t) {
		t = 0;
		printf("t %d", t);
		if (t)
			printf(" not this");
		else
			printf(" but this");
		t = 2;
	} else
		printf("never");
	printf(" t %d\n", t);
}

/* an else belongs to the nearest if */
BEGIN
{
	if (1)
		if (zero)
			printf("never\n");
		else
			printf("inner else\n");
	if (zero) {
		if (1)
			printf("never\n");
	} else
		printf("outer else\n");
}

/* any scalar is a condition; a division in a branch not taken is no fault */
BEGIN
{
	if (curthread)
		printf("pointer");
	if (NULL)
		printf("never");
	if (!curthread)
		printf("never");
	if (zero && 1 / zero)
		printf("never");
	if (-1)
		printf(" negative");
	if (0x100000000)
		printf(" wide");
	if (zero)
		n = 1 / zero;
	if (x = 3)
		printf(" assigned %d", x);
	printf("\n");
}

/* variables, aggregations and blocks in branches */
BEGIN
{
	if (pid) {
		@taken["then"] = count();
		self->y = 1;
		m["k"] = 2;
		;
		{ this->z = 3; }
	} else {
		@taken["else"] = count();
		self->y = 4;
		m["k"] = 5;
		this->z = 6;
	}
	printf("%d %d %d\n", self->y, m["k"], this->z);
	exit(0);
}
