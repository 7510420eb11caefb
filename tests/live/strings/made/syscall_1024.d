/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 1024.
 * @trigger calls getppid 1
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strstr substr strtok cleanpath
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option scratchsize=4096
string s0; string s1; this string s2; self string s3; int i0; int i1; string as[string, int];
string wrap(string s, int n)
{
	this->w = strjoin("<", s);
	if (n > 0) this->w = strjoin(this->w, ">");
	if (n > 1) this->w = strjoin(this->w, ">");
	if (n > 2) this->w = strjoin(this->w, ">");
	return this->w;
}
syscall::getppid:entry /pid == $target/ { this->s2 = "init"; self->s3 = "own"; }
syscall::getppid:entry /pid == $target/ { printf("%d;", rindex(stringof(",x//ba."), strrchr(s0, ','))); printf("0\n"); }
syscall::getppid:entry /pid == $target/ { printf("[%s]", strjoin(this->s2, wrap(wrap(self->s3, 3), 1)));
	self->s3 = cleanpath(wrap(substr(this->s2, i0), 1));
	s0 = substr(self->s3, 1, 3);
	as[stringof("xxxxxxxxxxxxxxxxxxxx"), 0] = cleanpath(stringof(this->s2));  printf("1\n"); }
syscall::getppid:entry /pid == $target/ { i1 = -2; printf("2\n"); }
syscall::getppid:entry /pid == $target/ { this->s2 = strjoin("hello world", s0);
	i0 = index("", s1);
	s1 = strjoin(basename(this->s2), (4 ? "0123456789" : ","));
	printf("%d;", (cleanpath(self->s3) >= strjoin("/", self->s3))); printf("3\n"); }
syscall::getppid:entry /pid == $target && 13/ { printf("[%s]", strjoin(",b.", basename(strjoin(s0, this->s2))));
	self->s3 = substr(basename(s1), 14, rindex((5 ? "b." : s0), ",", ("/usr/lib" > s0))); printf("4\n"); }
