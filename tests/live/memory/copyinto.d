/*
 * copyinto(): user memory into what is allocated already, and only there.
 * @trigger values memory
 * @stderr
 * @filter 's/probe ID [0-9]+ /probe ID N /'
 * @ref d-builtins 3.1 copyinto
 * @ref d-language 11.3 bounds
 * @ref d-language 22.1 badsize badaddr
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg0 > 1/
{
	this->d = (char *)alloca(16);
	this->d[15] = 77;
	copyinto(arg0 + 16, 4, this->d);
	n = 3;
	copyinto(arg0, n, this->d + 12);
	printf("%d %d %d %d %d\n", this->d[0], this->d[3], this->d[12], this->d[14], this->d[15]);
	n = 0;
	copyinto(arg0, n, this->d + 16);
	copyinto(8, 0, this->d);
	printf("%d\n", this->d[0]);
}
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->d = (char *)alloca(16); n = 17; copyinto(arg0, n, this->d); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->d = (char *)alloca(16); copyinto(arg0, 8, this->d + 9); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->d = (char *)alloca(16); n = -8; copyinto(arg0, n, this->d); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->d = (char *)alloca(16); copyinto(24, 8, this->d); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
