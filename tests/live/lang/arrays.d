/*
 * Associative arrays: mixed keys, conversion of keys, deletion by 0, global and thread-local.
 * @ref d-language 8.3 key-converted string-keys pointer-keys eight-keys unset-element
 * @ref d-language 8.3 load-does-not-allocate
 * @ref d-language 8.2 array-created self-array-created
 * @ref d-language 8.4 zero-deletes null-string-deletes empty-string-stays counted-down
 * @ref d-language 7.3 associative
 * @ref d-language 8.1 self-associative
 */
#pragma D option quiet

int declared[int, string];
string names[uint8_t];
self int own[string];
int *pointers[int];
int64_t wide[int64_t, int8_t, uint16_t];

BEGIN
{
	a[1] = 10;
	a[2] = 20;
	printf("%d %d %d\n", a[1], a[2], a[3]);
	b["x", 1] = 1;
	b["x", 2] = 2;
	b["y", 1] = 3;
	printf("%d %d %d %d\n", b["x", 1], b["x", 2], b["y", 1], b["y", 2]);
	c[1, "two", 3ull, 'c', curthread] = "five keys";
	printf("[%s] %d\n", c[1, "two", 3, 'c', curthread], c[1, "two", 3, 'd', curthread] == NULL);
	d[1, 2, 3, 4, 5, 6, 7, 8] = 8;
	d[1, 2, 3, 4, 5, 6, 7, 9]++;
	printf("%d %d %d\n", d[1, 2, 3, 4, 5, 6, 7, 8], d[1, 2, 3, 4, 5, 6, 7, 9], d[1, 2, 3, 4, 5, 6, 8, 8]);
	declared[5, "five"] = 55;
	names[7] = "seven";
	printf("%d %s %d\n", declared[5, "five"], names[7], declared[5, ""]);
	declared[5, ""] = 56;
	printf("%d %d\n", declared[5, "five"], declared[5, ""]);
	pointers[1] = (int *)curthread;
	printf("%d %d\n", pointers[1] == (int *)curthread, pointers[2] == NULL);
}

/* The key has the type that the first use or the declaration gave it. */
BEGIN
{
	printf("%d %d %d\n", a[(char)1], a[1ull], a[0x100000001]);
	printf("%s %s\n", names[0x107], names[(char)7]);
	a[-1] = 30;
	printf("%d %d\n", a[0xffffffff], a[(char)-1]);
	names[-1] = "255";
	printf("%s\n", names[255]);
	wide[-1, -1, -1] = 1;
	printf("%d %d %d\n", wide[-1, 255, 65535], wide[0xffffffff, -1, -1], wide[-1l, 0xff, 0xffff]);
	e[(char)1] = 40;
	printf("%d %d\n", e[257], e[2]);
	k = "x";
	i = 2;
	printf("%d %d %d\n", b[k, i], b[k, i - 1], b[strjoin("", "y"), i / 2]);
}

BEGIN
{
	a[1] = 0;
	a[4] = 0;
	printf("deleted %d %d %d\n", a[1], a[2], a[4]);
	a[2]--;
	a[2] -= 19;
	a[1]++;
	printf("counted down %d, made again %d\n", a[2], a[1]);
	names[7] = 0;
	c[1, "two", 3, 'c', curthread] = NULL;
	pointers[1] = 0;
	printf("deleted %d %d %d\n", names[7] == NULL, c[1, "two", 3, 'c', curthread] == NULL, pointers[1] == NULL);
	names[7] = "";
	printf("empty [%s]\n", names[7]);
}

BEGIN
{
	self->own["x"] = 1;
	self->own["y"] = 2;
	self->t[1, "k"] = "thread";
	own["x"] = 3;
	printf("%d %d %d %d\n", self->own["x"], self->own["y"], self->own["z"], own["x"]);
	printf("[%s] %d\n", self->t[1, "k"], self->t[2, "k"] == NULL);
	self->own["x"] += 5;
	self->own["y"] = 0;
	self->t[1, "k"] = 0;
	self->n[curthread]++;
	printf("%d %d %d %d\n", self->own["x"], self->own["y"], self->t[1, "k"] == NULL, self->n[curthread]);
}

/* Reading doesn't make an element, nor does a 0. */
BEGIN
/a[100] == 0 && !self->own["never"]/
{
	printf("predicate\n");
	a[100] = 0;
	exit(0);
}
