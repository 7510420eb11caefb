/*
 * Structs in structs, 13 deep: stores and loads reach the innermost, print() stops after 10.
 * @ref d-builtins 5.4 struct
 * @ref output 10 depth-limit
 * @ref d-language 11.4 nested-members whole-copy
 */
#pragma D option quiet

struct d0 {
	int v;
};
struct d1 {
	struct d0 n;
	int v;
};
struct d2 {
	struct d1 n;
	int v;
};
struct d3 {
	struct d2 n;
	int v;
};
struct d4 {
	struct d3 n;
	int v;
};
struct d5 {
	struct d4 n;
	int v;
};
struct d6 {
	struct d5 n;
	int v;
};
struct d7 {
	struct d6 n;
	int v;
};
struct d8 {
	struct d7 n;
	int v;
};
struct d9 {
	struct d8 n;
	int v;
};
struct d10 {
	struct d9 n;
	int v;
};
struct d11 {
	struct d10 n;
	int v;
};
struct d12 {
	struct d11 n;
	int v;
};
struct d12 x;
struct d6 half;

BEGIN
{
	x.n.n.n.n.n.n.n.n.n.n.n.n.v = 5;
	x.n.n.n.n.n.n.n.n.n.n.n.n.v++;
	x.v = 3;
	half = x.n.n.n.n.n.n;
	printf("%d %d\n", x.n.n.n.n.n.n.n.n.n.n.n.n.v, half.n.n.n.n.n.n.v);
	print(x);
	exit(0);
}
