/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 256.
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
BEGIN  { this->s2 = "init"; self->s3 = "own"; }
BEGIN /rindex("/usr/lib", " ", 0)/ { s1 = lltostr(i1);
	self->s3 = strrchr(cleanpath(wrap(s0, 2)), ','); printf("0\n"); }
BEGIN  { printf("[%s]", cleanpath(wrap(strjoin("/usr/lib", s0), 3)));
	s0 = strjoin(this->s2, s1);
	printf("%d;", i0);
	self->s3 = s1; printf("1\n"); }
BEGIN  { self->s3 = stringof(s1); printf("2\n"); }
BEGIN  { this->s2 = dirname(self->s3);
	printf("%d;", (s0 > "a/b"));
	this->s2 = s1;
	i0 = rindex(dirname(basename(s1)), strjoin(lltostr(i1), s0), 2); printf("3\n"); }
BEGIN  { printf("[%s]", basename(strjoin(lltostr(i1), stringof(self->s3))));
	this->s2 = strjoin(cleanpath(s1), strjoin(this->s2, "ab"));
	printf("[%s]", lltostr(2));
	i1 = rindex(s0, self->s3); printf("4\n"); }
BEGIN /i1/ { i1 = 13;
	printf("[%s]", (0 ? cleanpath(cleanpath(s1)) : cleanpath(cleanpath(",aa/x/")))); printf("5\n"); }
BEGIN  { printf("%d;", (int)strlen(this->s2));
	as[(0 ? s1 : "0123456789"), 2] = substr(dirname(s0), (3 + i0));  printf("6\n"); }
BEGIN  { printf("[%s]", ((strstr("/", self->s3) <= stringof(s0)) ? stringof(strjoin(this->s2, this->s2)) : ((int)strlen("hello world") ? strjoin(s0, self->s3) : strstr("/usr/lib", "a,b,,c")))); printf("7\n"); }
BEGIN { exit(0); }
