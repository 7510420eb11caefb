/*
 * Arrays that are not associative: elements in the variable, sizes, arrays of arrays, bounds.
 * @stderr
 * @filter 's/(clause_5 .*bounds) \(.*\)/\1 (INDEX)/'
 * @ref d-language 7.3 scalar-array array-of-arrays
 * @ref d-language 8.2 this-c-array self-c-array
 * @ref d-language 11.2 run-time-index negative-run-time-index one-element
 * @ref d-language 12 array-variable
 * @ref d-language 9.1 address subscript
 * @ref d-language 22.1 badindex
 */
#pragma D option quiet

int a[5];
short m[3][4];
this int t[4];
self int s[3];
char c[8];
int one[1];

BEGIN
{
	a[0] = 10;
	a[4] = 14;
	i = 2;
	a[i] = 12;
	a[i + 1] = a[i]++ + a[0];
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4]);
	m[2][3] = 23;
	m[i][i - 1] = m[2][3] + 1;
	printf("%d %d %d\n", m[2][3], m[2][1], m[1][3]);
	this->t[1] = 5;
	this->t[i] = this->t[1] + 1;
	printf("%d %d\n", this->t[i - 1], this->t[2]);
	self->s[0] = 1;
	self->s[i] = 3;
	printf("%d %d %d\n", self->s[0], self->s[1], self->s[2]);
	c[0] = 'h';
	c[1] = 'i';
	printf("[%s] %d\n", stringof(c), c[1] == 'i');
	one[0] = 1;
	printf("%d\n", one[0]);
	printf("%d %d %d %d %d\n", sizeof(a), sizeof(m), sizeof(m[0]), sizeof(c), sizeof(a[0]));
	p = &a[1];
	printf("%d %d %d\n", *p, p[1], *(p + 3));
}

BEGIN
{
	printf("%d\n", this->t[2]);
}

BEGIN { i = 5; x = a[i]; }
BEGIN { i = 100; a[i] = 1; }
BEGIN { i = 4; x = m[2][i]; }
BEGIN { i = -1; x = a[i]; }
BEGIN { i = 3; x = m[i][0]; }
BEGIN { i = 9; x = curthread->comm[i + 7]; }
BEGIN { exit(0); }

ERROR
/arg4 == DTRACEFLT_BADINDEX/
{
	printf("clause %d\n", arg2);
}
