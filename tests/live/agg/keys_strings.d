/*
 * One aggregation keyed by literals of several lengths, built-ins, variables, results of
 * functions and text of a process: equal text is one key, whatever made it.
 * @trigger values strings values getppid entry x a-string-longer-than-all-the-literals-here
 * @args -q
 * @ref d-language 15 string-keys
 */
syscall::getppid:entry
/pid == $target/
{
	this->s = copyinstr(arg0);
	@a[this->s] = count();
	@len[strlen(this->s), this->s] = count();
}

syscall::getppid:entry
/pid == $target && arg1 == 0/
{
	s = "x";
	self->s = "entry";
	@a["x"] = count();
	@a["a longer literal"] = count();
	@a[execname] = count();
	@a[probefunc] = count();
	@a[probename] = count();
	@a[probemod] = count();
	@a[""] = count();
	@a[s] = count();
	@a[self->s] = count();
	@a[strjoin("get", "ppid")] = count();
	@a[substr("xyz", 0, 1)] = count();
	@a[substr("twelve", 1, 1)] = count();
	@a["w"] = count();
	@a[basename("/a/longer/path/w")] = count();
	@a[dirname("w/base")] = count();
	@a[stringof("w")] = count();
	@a[lltostr(12)] = count();
	@a["12"] = count();
	self->s = 0;
}
