/*
 * Translators: by value and by pointer, of scalars and of pointers; only the member asked for is evaluated, each time.
 * @stderr
 * @ref d-language 16.1 input-type nested
 * @ref d-language 16.2 member pointer-member statement lookup lazy fault-when-dereferenced whole-struct
 */
#pragma D option quiet

struct out {
	int value;
	int twice;
	string text;
	int untouched;
};

struct top {
	int sum;
};

typedef int number_t;
int evaluated;

translator struct out < int i > {
	value = i;
	twice = (evaluated++, i * 2);
	text = "an int";
};

translator struct out < struct task_struct *t > {
	value = t->tgid;
	twice = t->tgid * 2;
	text = stringof(t->comm);
};

translator struct top < int i > {
	sum = xlate <struct out> (i).value + xlate <struct out *> (i)->twice;
};

BEGIN
{
	n = 21;
	printf("%d %s", xlate <struct out> (n).value, xlate <struct out> (n).text);
	printf(" %d\n", evaluated);
	printf("%d %d", xlate <struct out> (n).twice, xlate <struct out *> (n + 1)->twice);
	printf(" %d\n", evaluated);
	printf("%d\n", xlate <struct top> (5).sum);
	printf("%d %d\n", xlate <struct out> (curthread).value == pid, xlate <struct out *> (curthread)->text == execname);
	c = (number_t)3;
	k = (short)4;
	printf("%d %d\n", xlate <struct out> (c).value, xlate <struct out> (k).value);
	xlate <struct out> (n);
}

BEGIN
{
	null = (struct task_struct *)NULL;
	evaluated = 0;
	xlate <struct out> (null);
	printf("fine\n");
}

BEGIN
{
	printf("%d\n", xlate <struct out> (null).value >= 0);
}

struct out v;

BEGIN
{
	v.untouched = 9;
	v = xlate <struct out> (6);
	printf("%d %d %s %d\n", v.value, v.twice, v.text, v.untouched);
	exit(0);
}
