/*
 * Built-in variables in BEGIN, END and ERROR, and the clocks.
 * @ref d-builtins 1 arg0-arg9 id epid errno probeprov probemod probefunc probename pid ppid
 * @ref d-builtins 1 execname uid gid curthread timestamp walltimestamp vtimestamp
 * @ref d-language 5.1 timestamp-per-clause arguments-around-error
 * @ref d-language 22.2 arg0 arg1-probe arg4-code arg5-value epid
 * @ref d-language 4 end-error-ids
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
	printf("id %d epid %x errno %d\n", id, epid, errno);
	printf("[%s] [%s] [%s] [%s]\n", probeprov, probemod, probefunc, probename);
	printf("self %d %d %s\n", pid == $pid, ppid == $ppid, execname);
	printf("who %d %d\n", uid == $uid, gid == $gid);
	printf("curthread %d\n", curthread->tgid == $pid);
	this->a = timestamp;
	this->b = timestamp;
	w = walltimestamp;
	t = timestamp;
	printf("the clock stands still in a clause: %d %d\n", this->a == this->b, this->a == t);
	printf("since 2020, before 2100: %d %d\n", w > 1577836800000000000, w < 4102444800000000000);
	printf("not the same clock %d\n", w != t);
	v = vtimestamp;
	printf("on a CPU %d\n", v > 0);
	printf("sizes %d %d %d %d %d %d %d %d\n", sizeof(arg0), sizeof(pid), sizeof(tid), sizeof(uid), sizeof(id),
		sizeof(timestamp), sizeof(walltimestamp), sizeof(errno));
	printf("no sign: %d %d\n", (timestamp * 0 - 1) > 0, (walltimestamp * 0 - 1) < 0);
}

BEGIN
{
	printf("later: %d %d %d\n", timestamp >= t, walltimestamp >= w, vtimestamp >= v);
	printf("id %d epid %x\n", id, epid);
	b = id;
}

BEGIN
{
	trace(*(int *)0);
}

ERROR
{
	@errors[probeprov, probemod, probefunc, probename, id, arg0, arg1 == b, arg2, arg4, arg5] = count();
}

BEGIN
{
	printf("the arguments again: %d %d %d\n", arg1, arg2, arg4);
	exit(0);
}

END
{
	printf("[%s] [%s] [%s] [%s] id %d epid %x: %d %d\n", probeprov, probemod, probefunc, probename, id, epid, arg0,
		arg9);
	printa("[%s] [%s] [%s] [%s] id %d: %d %d %d %d %d, %@d\n", @errors);
}
