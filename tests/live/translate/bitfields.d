/*
 * A member that is a bit-field has the bits that it has in C, read from the translation, a variable, or as a constant.
 * @ref d-language 16.2 member
 */
#pragma D option quiet

struct t { int b : 3; unsigned int u : 5; uint64_t l : 40; int w; };
typedef struct t T;
translator T < int i > { b = i; u = i * 3; l = (uint64_t)i << 36; w = i; };
translator T < string s > { b = strlen(s); };

BEGIN
{
	i = 15;
	t = xlate <T *>(i);
	printf("%d %d %x %d\n", xlate <T *>(i)->b, xlate <T *>(i)->u, xlate <T *>(i)->l, xlate <T *>(i)->w);
	printf("%d %d %x %d\n", t->b, t->u, t->l, t->w);
	printf("%d %d %x %d\n", xlate <T *>(15)->b, xlate <T>(15).u, (*xlate <T *>(15)).l, xlate <T *>(15)->w);
	printf("%d %d\n", xlate <T *>("seven!!")->b, xlate <T *>(i)->b == t->b && xlate <T *>(3)->b == 3);
	exit(0);
}
