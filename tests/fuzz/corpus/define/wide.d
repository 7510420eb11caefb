struct item { int id; char name[8]; };
typedef unsigned short flag_t;
provider wide {
	probe most(int, int, int, int, int, int, int, int, int, int, flag_t, enum e { A });
	probe more(int, int, int, int, int, int, int, int, int, int, int, int, int);
	probe f(int (*)(void), const char *restrict, ...);
};
