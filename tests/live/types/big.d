/*
 * Big variables: arrays of 400 KB and 64 KB, structs of 10 KB, copied whole, at first and last elements.
 * @ref d-language 7.3 scalar-array
 * @ref d-language 8.2 this-c-array
 * @ref d-language 11.2 run-time-index
 * @ref d-language 11.4 whole-copy member-stores
 */
#pragma D option quiet

int a[100000];
this int t[16384];
struct big {
	char text[10240];
	int last;
};
struct big g, h;
this struct big b;

BEGIN
{
	i = 99999;
	a[i] = 7;
	a[0] = 8;
	a[i - 1]--;
	printf("%d %d %d %d %d\n", a[99999], a[i - i], a[99998], a[50000], sizeof(a));
	j = 16383;
	this->t[j] = 9;
	this->t[0] = 10;
	printf("%d %d %d %d\n", this->t[16383], this->t[0], this->t[j - 1], sizeof(this->t));
}

BEGIN
{
	n = 10239;
	g.text[0] = 'a';
	g.text[n] = 'z';
	g.last = 13;
	h = g;
	this->b = h;
	g.text[n] = 'y';
	printf("%c %c %d %d\n", h.text[0], h.text[n], h.last, sizeof(struct big));
	printf("%c %c %d\n", this->b.text[0], this->b.text[n], this->b.last);
	h = this->b;
	h.last++;
	printf("%d %c\n", h.last, h.text[n]);
	exit(0);
}
