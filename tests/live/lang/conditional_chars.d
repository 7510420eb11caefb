/*
 * c ? a : b of arrays of char, strings and NULL is a string: as a value, key, operand, argument and what a variable gets.
 * @ref d-language 9.2 char-arrays
 * @ref d-language 10.5 implicit-conversion
 */
#pragma D option quiet

struct { char text[8]; string<5> five; } st;
char buf[8], other[12];
typedef char name_t[6];
name_t named;
string pick(int i) { return i ? curthread->comm : "none"; }

BEGIN
{
	yes = 1;
	buf[0] = 'b';
	buf[1] = 'u';
	other[0] = 'o';
	named[0] = 'n';
	st.text[0] = 't';
	st.five = "fives";
	trace(yes ? curthread->comm : "");
	trace(" ");
	trace(yes ? "" : curthread->comm);
	trace(yes ? buf : other);
	trace(" ");
	printf("%s %s %s %s\n", yes ? buf : "none", !yes ? "none" : st.text, yes ? named : buf, !yes ? buf : st.five);
	printf("%s %s\n", yes ? curthread->comm : curthread->real_parent->comm, pick(yes));
	printf("%s %d %d\n", yes ? buf : NULL, (!yes ? buf : NULL) == NULL, (yes ? NULL : buf) == NULL);
	printf("%d %d %d\n", (yes ? curthread->comm : "") == execname, strlen(yes ? buf : other), ("x" < (yes ? buf : "")));
	x = yes ? curthread->comm : "no";
	y = yes ? (!yes ? buf : other) : st.text;
	printf("%s %s %d %s\n", x, y, sizeof(y), (yes ? buf : other) + 1);
	a[yes ? buf : ""] = 7;
	printf("%d %s\n", a["bu"], strjoin(yes ? buf : "", !yes ? buf : other));
	@[yes ? curthread->comm : ""] = count();
	@[execname] = count();
	p = yes ? &curthread->comm[0] : curthread->comm;
	printf("%d\n", *p == execname[0]);
}

BEGIN { trace(!yes ? buf : NULL); }
BEGIN { printa("%s %@d\n", @); exit(0); }
ERROR { printf("fault %d\n", arg4); }
