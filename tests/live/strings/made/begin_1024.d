/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 1024.
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
BEGIN  { this->s2 = "init"; self->s3 = "own"; }
BEGIN  { printf("%d;", (lltostr(i1) != strrchr(s0, 'b'))); printf("0\n"); }
BEGIN /index(".", s0)/ { printf("%d;", ((i1 ? s0 : self->s3) != basename(s0)));
	s1 = stringof(lltostr((12 + 7)));
	self->s3 = lltostr((s1 >= this->s2));
	printf("%d;", rindex(this->s2, lltostr(i1))); printf("1\n"); }
BEGIN /(i1 + i1)/ { i0 = i1;
	this->s2 = substr(this->s2, 12);
	printf("%d;", (int)strlen(stringof(s0))); printf("2\n"); }
BEGIN  { i0 = 4;
	i0 = i1; printf("3\n"); }
BEGIN  { printf("[%s]", strtok(this->s2, ".,"));
	i0 = index(stringof(" "), strtok(NULL, "abc"));
	s0 = strtok(strtok(dirname(self->s3), "a,b,,c"), s1);
	s0 = dirname((i0 ? s0 : self->s3)); printf("4\n"); }
BEGIN /(i0 - 13)/ { s1 = stringof(strjoin(",", this->s2));
	this->s2 = ((basename("a/") >= basename(self->s3)) ? s0 : wrap((7 ? this->s2 : s0), 2));
	this->s2 = strtok(strtok(NULL, self->s3), "ab"); printf("5\n"); }
BEGIN /(4 - 14)/ { printf("[%s]", strjoin(s1, cleanpath(wrap("a", 0)))); printf("6\n"); }
BEGIN  { i0 = -3;
	printf("[%s]", strjoin(wrap((i1 ? self->s3 : "a"), 0), wrap(stringof("a..bxa//bb/a"), 1))); printf("7\n"); }
BEGIN  { s1 = "b,";
	printf("%d;", 3);
	printf("[%s]", strjoin("/usr/lib", cleanpath(strjoin(",", self->s3)))); printf("8\n"); }
BEGIN { exit(0); }
