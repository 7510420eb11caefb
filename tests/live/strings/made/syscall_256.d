/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 256.
 * @trigger calls getppid 1
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strstr substr strtok cleanpath
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet
#pragma D option strsize=256
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
syscall::getppid:entry /pid == $target/ { as[dirname(self->s3), 0] = strjoin(strtok(s1, this->s2), s1); 
	i1 = (i1 + i0); printf("0\n"); }
syscall::getppid:entry /pid == $target/ { self->s3 = cleanpath("abc");
	i0 = (dirname(s1) < lltostr(rindex(s0, this->s2, i1)));
	printf("[%s]", "/x");
	self->s3 = "0123456789"; printf("1\n"); }
syscall::getppid:entry /pid == $target/ { this->s2 = "0123456789";
	printf("%d;", i1);
	self->s3 = strtok(strjoin(this->s2, s0), "");
	s0 = strjoin("/usr/lib", this->s2); printf("2\n"); }
syscall::getppid:entry /pid == $target/ { self->s3 = s0;
	this->s2 = strjoin(wrap(s0, 3), wrap(strjoin("a.,/.xa/./,", self->s3), 0));
	printf("[%s]", substr("./a/../b", (lltostr(i0) == dirname(s0)), (strstr("a/b", this->s2) == NULL))); printf("3\n"); }
syscall::getppid:entry /pid == $target/ { s1 = (7 ? self->s3 : "/a,,,,,ab./");
	as[self->s3, 0] = basename(cleanpath(s0)); 
	this->s2 = basename(strjoin(this->s2, "//")); printf("4\n"); }
syscall::getppid:entry /pid == $target/ { printf("[%s]", lltostr((wrap("x,.,b", 2) == NULL)));
	printf("%d;", (("" < s1) + (s0 == NULL))); printf("5\n"); }
syscall::getppid:entry /pid == $target/ { s0 = strchr(strjoin(s0, this->s2), 'b'); printf("6\n"); }
syscall::getppid:entry /pid == $target/ { printf("[%s]", strtok(strstr(strjoin("abc", s1), strstr(s0, s1)), this->s2));
	s1 = strtok(NULL, s1); printf("7\n"); }
syscall::getppid:entry /pid == $target/ { s1 = cleanpath(dirname(" "));
	this->s2 = stringof(s1);
	printf("[%s]", self->s3);
	self->s3 = s0; printf("8\n"); }
