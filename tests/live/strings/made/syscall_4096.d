/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 4096.
 * @trigger calls getppid 1
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strstr substr strtok cleanpath
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet
#pragma D option strsize=4096
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
syscall::getppid:entry /pid == $target && index("", this->s2, i0)/ { printf("[%s]", wrap(strjoin((i0 ? this->s2 : s1), strchr(this->s2, 'a')), 2));
	this->s2 = wrap(strstr(strjoin("xb/x/", ""), strrchr("b/", 'a')), 1);
	this->s2 = dirname("/usr/lib");
	printf("[%s]", strjoin(strjoin(strstr(s1, s1), wrap(self->s3, 0)), strjoin(lltostr(i1), substr(this->s2, 12, 12)))); printf("0\n"); }
syscall::getppid:entry /pid == $target/ { s1 = wrap(stringof("0123456789"), 1);
	as[dirname(self->s3), 0] = lltostr(rindex("abc", s1, -5)); 
	printf("%d;", i1);
	self->s3 = strstr((i1 ? self->s3 : self->s3), strchr("xxxxxxxxxxxxxxxxxxxx", 'b')); printf("1\n"); }
syscall::getppid:entry /pid == $target/ { self->s3 = dirname(lltostr((s1 < s0)));
	s0 = lltostr(10);
	printf("%d;", (lltostr(-4) == NULL)); printf("2\n"); }
syscall::getppid:entry /pid == $target/ { i1 = ((s1 == NULL) + -1);
	s1 = cleanpath("xxxxxxxxxxxxxxxxxxxx"); printf("3\n"); }
syscall::getppid:entry /pid == $target && (i1 - -3)/ { printf("[%s]", stringof(s1)); printf("4\n"); }
syscall::getppid:entry /pid == $target/ { s0 = wrap(stringof("0123456789"), 1); printf("5\n"); }
syscall::getppid:entry /pid == $target/ { printf("[%s]", strjoin(lltostr((int)strlen(s0)), cleanpath(wrap(s0, 2)))); printf("6\n"); }
