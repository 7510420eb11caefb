/*
 * strflags(), strerror(), errnoname() and signame(): strings that are printed, compared, joined and
 * used as keys.
 */
#pragma D option quiet

BEGIN
{
	this->flags = 01101;
	printf("%s %s %s\n", strflags(this->flags, "open"), strflags(0, "open"),
	    strflags(0x40000002, "open"));
	printf("%s %s %s\n", strflags(0100644, "mode"), strflags(5, "prot"), strflags(0x22, "mmap"));
	printf("%s %s %s\n", strflags(-100, "dirfd"), strflags(7, "dirfd"), strflags(0, "access"));
	this->e = -2;
	printf("%s, %s, %s\n", strerror(this->e), strerror(13), strerror(4711));
	printf("%s %s %s %s\n", errnoname(this->e), errnoname(13), errnoname(0), errnoname(4711));
	this->sig = 37;
	printf("%s %s %s %s\n", signame(9), signame(this->sig), signame(64), signame(99));
}

BEGIN
/strflags(2, "open") == "O_RDWR" && errnoname(5) != "EPERM"/
{
	name[signame(15)] = 1;
	@[strflags(1, "socket"), errnoname(-11)] = count();
	@[strflags(2, "socket"), errnoname(11)] = count();
	@[strjoin("SOCK_", "STREAM"), "EAGAIN"] = count();
	@same[errnoname(-13), strflags(1, "open")] = count();
	@same[errnoname(13), strflags(1, "open")] = count();
	@same[errnoname(2), strflags(0102, "open")] = count();
	printf("%d %s\n", name["SIGTERM"], strjoin(signame(15), "!"));
	printf("%-8s|%8s|%.3s\n", errnoname(2), errnoname(2), errnoname(2));
	exit(0);
}
