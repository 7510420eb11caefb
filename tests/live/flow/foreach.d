/*
 * foreach: every element once, its keys with their types; break, continue; elements deleted and
 * changed on the way; in BEGIN, tick and END.
 */
#pragma D option quiet
#pragma D option aggsortkey

string names[int];
int empty[int];
struct point { int x; int y; };
struct point p;

BEGIN
{
	foreach (k in empty)
		printf("never\n");
	only["key"] = 7;
	foreach (k in only)
		printf("%s %d\n", k, only[k]);
	wide[(char)-1, (unsigned char)200, "s", (short)-3, 1234567890123, (void *)16] = 1;
	foreach (a, b, c, d, e, f in wide)
		printf("%d %d %s %d %d %p: %d %d %d %d\n", a, b, c, d, e, f, sizeof(a), sizeof(b),
			sizeof(d), sizeof(e));
	p.x = 3;
	p.y = -4;
	at[p] = 5;
	foreach (q in at)
		printf("%d %d: %d\n", q.x, q.y, at[q]);
	names[3] = "three";
	foreach (n in names)
		printf("%d %s\n", n, names[n]);
}

BEGIN
{
	for (i = 0; i < 100; i++)
		squares[i] = i * i + 1;
	foreach (k in squares)
		@sum["all"] = sum(squares[k]);
	foreach (k in squares)
		if (k % 2)
			squares[k] = 0;
		else
			squares[k] = -1;
	foreach (k in squares) {
		@sum["left"] = sum(squares[k]);
		@odd = sum(k % 2);
	}
	foreach (k in squares) {
		if (k < 90)
			continue;
		@sum["from 90"] = sum(k);
	}
	foreach (k in squares) {
		@sum["one"] = sum(1);
		break;
	}
}

/* the key is a name of its own: a global of that name is what it was */
BEGIN { k = "global"; foreach (k in only) printf("%s ", k); printf("%s\n", k); }

/* one in another */
BEGIN
{
	pair[1] = pair[2] = 1;
	foreach (a in pair)
		foreach (b in pair)
			@products[a * b] = count();
}

tick-1ms { foreach (k in only) printf("tick %s\n", k); exit(0); }
END { foreach (k in only) printf("end %s\n", k); }
