/*
 * C arrays as variables of each class, arrays of arrays, of structs and of pointers.
 * @ref d-language 7.3 scalar-array array-of-arrays associative
 * @ref d-language 8.2 this-c-array self-c-array
 * @ref d-language 8.1 global-zero this-zero-in-begin self-zero
 * @ref d-language 12 array-variable
 * @ref d-language 9.5 writable
 */
#pragma D option quiet

int a[3][4];
this short t[5];
self long s[6];
struct pair { int x; char y[2]; } pairs[3];
int *pointers[2];
char text[8];
uint64_t one[1];
int keyed[int, string], plain, *pointer;

BEGIN
{
	printf("%d %d %d\n", a[1][2], this->t[4], self->s[5]);
	i = 2;
	j = 3;
	a[2][3] = 23;
	a[i][j - 1] = 22;
	a[1][0]--;
	a[i - 1][1] += 11;
	printf("%d %d %d %d %d\n", a[i][j], a[2][2], a[1][0], a[1][1], a[0][3]);
	printf("%d %d %d %d\n", sizeof(a), sizeof(a[0]), sizeof(a[i][j]), sizeof(this->t));
	this->t[4] = 40000;
	this->t[j]++;
	printf("%d %d %d\n", this->t[i + 2], this->t[3], this->t[0]);
	self->s[5] = -5;
	self->s[i] = self->s[5] * 2;
	printf("%d %d %d\n", self->s[i + 3], self->s[2], sizeof(self->s));
	pairs[i].y[1] = 'y';
	pairs[1].x = 1;
	pairs[0] = pairs[2];
	printf("%c %d %d\n", pairs[0].y[1], pairs[i - 1].x, sizeof(pairs));
	pointers[1] = &curthread->tgid;
	printf("%d %d\n", *pointers[i - 1] == pid, pointers[0] == NULL);
	text[0] = 'a';
	text[1] = 'b';
	printf("[%s] %d\n", stringof(text), one[0]++ + one[0]);
	keyed[1, "a"] = plain = 8;
	pointer = &a[2][3];
	printf("%d %d %d %d\n", keyed[1, "a"], plain, *pointer, keyed[2, "a"]);
}

/* values that lasted */
BEGIN
{
	printf("%d %d %d %d\n", a[2][3], this->t[3], self->s[2], pairs[1].x);
	exit(0);
}
