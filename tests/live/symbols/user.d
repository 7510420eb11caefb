/*
 * Symbols of the target: two scoping marks, by module or in any, with the types of its debug information; what they
 * point to is read in the process.
 * Its types are known by the program's name, too.
 * @ref d-language 4 process-provider
 * @ref d-language 14 user-symbol scoped-type
 * @args -q -x errtags
 * @trigger user
 */
pid$target:a.out:tick:entry
{
	printf("%d %s %d", ``config.level, stringof(``config.name), user``counter);
	printf(" %d %s", ``config.next->level, stringof(``config.next->name));
	printf(" %d %d\n", &``second == ``config.next, (uintptr_t)&``tick == uregs[R_RIP]);
}

pid$target:a.out:tick:return
{
	printf("%d %d", arg1 == ``counter, sizeof(``config));
	printf(" %d\n", ((struct user`config *)&``config)->next->level);
}
