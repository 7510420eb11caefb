/*
 * for and while: the usual C, over every kind of variable.
 */
#pragma D option quiet

BEGIN { for (i = 0; i < 3; i++) printf("%d ", i); printf("then %d\n", i); }
BEGIN { for (this->i = 3; this->i > 0; this->i--) printf("%d ", this->i); printf("then %d\n", this->i); }
BEGIN { for (self->i = 0; self->i < 10; self->i += 4) printf("%d ", self->i); printf("then %d\n", self->i); }
BEGIN { for (a["i"] = 1; a["i"] < 100; a["i"] *= 3) printf("%d ", a["i"]); printf("then %d\n", a["i"]); }
BEGIN { for (i = 0, j = 6; i < j; i++, j--) printf("%d-%d ", i, j); printf("then %d-%d\n", i, j); }
BEGIN { for (i = 0; i < 0; i++) printf("never\n"); }
BEGIN { for (i = 5; i; ) i--; printf("empty parts %d\n", i); }
BEGIN { for (i = 0;; i++) if (i == 4) break; printf("no condition %d\n", i); }
BEGIN { for (;;) { if (++i == 9) break; } printf("no part %d\n", i); }
BEGIN { while (i > 5) { i--; printf("%d ", i); } printf("then %d\n", i); }
BEGIN { while (i-- > 2) ; printf("no body %d\n", i); }
BEGIN { while (0) printf("never\n"); }
BEGIN { while (1) { i++; if (i > 3) break; } printf("while 1 %d\n", i); }

BEGIN
{
	for (i = 0; i < 8; i++) {
		if (i % 2)
			continue;
		if (i == 6)
			break;
		printf("even %d ", i);
	}
	printf("then %d\n", i);
}

/* continue does not skip the step of a for, nor the condition of a while */
BEGIN
{
	this->n = 0;
	this->i = 0;
	while (this->i++ < 10) {
		if (this->i & 1)
			continue;
		this->n += this->i;
	}
	printf("%d %d\n", this->i, this->n);
}

/* nested: break and continue are of the innermost */
BEGIN
{
	for (this->i = 0; this->i < 4; this->i++) {
		if (this->i == 2)
			continue;
		for (this->j = 0; this->j < 5; this->j++) {
			if (this->j == 1)
				continue;
			if (this->j > this->i)
				break;
			this->k = 2;
			while (this->k--)
				printf("%d%d%d ", this->i, this->j, this->k);
		}
	}
	printf("\n");
}

/* a loop in each branch, and in a loop, a branch in each */
BEGIN
{
	for (this->i = 0; this->i < 3; this->i++) {
		if (this->i == 1) {
			for (this->j = 0; this->j < 2; this->j++)
				printf("a%d ", this->j);
		} else {
			this->j = 0;
			while (this->j < 2)
				printf("b%d ", this->j++);
		}
	}
	printf("\n");
}

/* an iteration sees what those before it did: strings, arrays, aggregations, scratch memory */
string s;
int squares[10];

BEGIN
{
	for (this->i = 0; this->i < 10; this->i++)
		squares[this->i] = this->i * this->i;
	this->sum = 0;
	for (this->i = 0; this->i < 10; this->i++)
		this->sum += squares[this->i];
	for (this->i = 0; this->i < 4; this->i++) {
		s = strjoin(s, substr("abcd", this->i, 1));
		of[s, this->i] = strlen(s) * 10;
		@lengths[s] = sum(of[s, this->i]);
	}
	this->p = (char *)alloca(8);
	for (this->i = 0; this->i < 7; this->i++)
		this->p[this->i] = 'a' + this->i;
	this->p[7] = 0;
	printf("%d %s %s\n", this->sum, s, stringof(this->p));
}

/* structures of the kernel walked to their end */
BEGIN
{
	this->t = curthread;
	this->n = 0;
	while (this->t->tgid > 1) {
		this->t = this->t->real_parent;
		this->n++;
	}
	printf("%s %d\n", this->n > 0 ? "parents" : "none", this->t->tgid <= 1);
	exit(0);
}
