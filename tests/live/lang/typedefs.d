/*
 * Typedefs and integer inlines of the program's own.
 * @ref d-language 7.1 typedef
 * @ref d-language 13 constant
 * @ref d-language 6.5 enumerators-and-inlines
 */
#pragma D option quiet

typedef int number_t;
typedef number_t *number_p, other_t;
typedef unsigned char byte_t;
number_t x;
other_t o;
self byte_t b;
this number_p p;
string names[byte_t, number_t];
inline int TEN = 5 + 5;
inline unsigned long long BIG = 1ull << 40;
inline number_t ALSO = TEN * 2 - 1;

BEGIN
{
	x = 5;
	o = 6;
	self->b = 300;
	this->p = (number_p)0;
	names[257, 2] = "found";
	printf("%d %d %d %d %s\n", x, o, self->b, this->p == NULL, names[(byte_t)1, TEN / 5]);
	printf("%d %d %d %d\n", sizeof(number_t), sizeof(byte_t), sizeof(number_p), sizeof(x));
	printf("%d %d\n", (byte_t)1000, (number_t)0x100000001);
	printf("%d %d %d\n", TEN, BIG, ALSO);
	printf("%d %d %d\n", TEN + TEN, -TEN, TEN > 9 ? 1 : 2);
	exit(0);
}
