/*
 * Every subroutine that gives a string: printed, traced, assigned to each kind of variable, compared, as a key, as the
 * argument of another, in a condition, in a predicate.
 * @trigger values strings /usr/lib/x.so alpha,beta
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strchr strrchr strstr substr strtok basename dirname cleanpath lltostr stringof
 * @ref d-language 10.1 copied-by-value
 * @ref d-language 8.3 string-keys
 */
#pragma D option quiet

int n;
string declared;
string element[string, int];

syscall::getppid:entry
/pid == $target && strstr(copyinstr(arg0), "/") != NULL && dirname(copyinstr(arg0)) == "/usr/lib"/
{
	this->s = copyinstr(arg0);
	printf("%s|%s|%s|%s|%s|%s\n", strjoin(this->s, "!"), strchr(this->s, 'l'), strrchr(this->s, '/'),
		strstr(this->s, "x."), substr(this->s, 5, 3), strtok(this->s, "/"));
	printf("%s|%s|%s|%s|%s\n", basename(this->s), dirname(this->s), cleanpath(this->s), lltostr(arg1),
		stringof(this->s));
	trace(basename(this->s));
	trace(dirname(copyinstr(arg0)));
	trace(substr(strtok(NULL, "/"), 1));
	trace("\n");
}

syscall::getppid:entry
/pid == $target/
{
	global = basename(copyinstr(arg0));
	declared = strjoin("<", strjoin(copyinstr(arg0), ">"));
	self->s = dirname(declared);
	this->t = strrchr(declared, declared[1]);
	element[declared, arg1] = cleanpath(declared);
	element[substr(declared, 1, 3), 7] = lltostr(strlen(declared));
	printf("%s %s %s %s %s %s\n", global, declared, self->s, this->t, element[declared, arg1],
		element[substr(declared, 1, 3), 7]);
	self->s = strjoin(self->s, self->s);
	declared = substr(declared, 1);
	global = strstr(global, "a");
	printf("from themselves %s %s %d %s\n", self->s, declared, global == NULL, global == NULL ? "-" : global);
	self->s = NULL;
}

syscall::getppid:entry
/pid == $target/
{
	@keys[basename(copyinstr(arg0)), substr(strjoin(copyinstr(arg0), "."), -3),
		strtok(copyinstr(arg0), ",")] = sum(strlen(strjoin(probefunc, execname)));
	@one[strjoin("all", "")] = max(index(copyinstr(arg0), "a"));
	n += basename(copyinstr(arg0)) == "x.so" ? 1 : 10;
	n += cleanpath(copyinstr(arg0)) < "a" ? 100 : 1000;
}

/* Deeply nested. */
END
{
	printf("%s\n", strjoin(strjoin(strjoin("a", strjoin("b", "c")), strjoin(strjoin("d", "e"), "f")),
		substr(strjoin("xyzg", "h!"), 3, index("12345", "3"))));
	printf("%s\n", basename(dirname(cleanpath(strjoin("/a/./b/../", strjoin("c/", lltostr(strlen("four"))))))));
	printf("%d\n", strlen(strstr(strrchr(strjoin("x/", "y/zzz"), '/'), "z")));
	printf("%s\n", strtok(strjoin("a b", strjoin(" ", strtok("c-d", "-"))), " "));
	printf("%s %s\n", strtok(NULL, " "), strtok(NULL, " "));
	printf("%d\n", n);
	printa("%s %s %s %@d\n", @keys);
	printa("%s %@d\n", @one);
}
