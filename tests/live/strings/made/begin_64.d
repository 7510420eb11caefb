/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 64.
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strstr substr strtok cleanpath
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet
#pragma D option strsize=64
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
BEGIN  { this->s2 = substr(lltostr(i1), -5, (self->s3 == "a"));
	printf("[%s]", stringof(((int)strlen(self->s3) ? strjoin("xxxxxxxxxxxxxxxxxxxx", "a,.b.x.x") : strjoin(" ", "./a/../b"))));
	this->s2 = "abc"; printf("0\n"); }
BEGIN /(-6 + 3)/ { i0 = ((int)strlen("abc") - (s1 == NULL));
	printf("%d;", index(basename("b"), strtok(NULL, s1)));
	s0 = wrap(self->s3, 0);
	self->s3 = " "; printf("1\n"); }
BEGIN /rindex(",", self->s3)/ { printf("%d;", (s1 == NULL));
	printf("[%s]", cleanpath("//"));
	self->s3 = dirname(s1); printf("2\n"); }
BEGIN /(s0 > self->s3)/ { printf("[%s]", dirname(basename(self->s3))); printf("3\n"); }
BEGIN  { printf("%d;", (",." < strstr(s1, self->s3)));
	i0 = (this->s2 != "//"); printf("4\n"); }
BEGIN  { i0 = (strtok(basename(this->s2), ",") < basename(strjoin("//xba,/", "./a/../b")));
	printf("[%s]", this->s2);
	s0 = wrap(strjoin(self->s3, ""), 2);
	printf("[%s]", s1); printf("5\n"); }
BEGIN  { s0 = cleanpath(self->s3); printf("6\n"); }
BEGIN  { this->s2 = cleanpath(strjoin(lltostr(5), strjoin(this->s2, this->s2))); printf("7\n"); }
BEGIN /i1/ { printf("%d;", rindex(dirname("ax.xb/..x"), basename(this->s2)));
	as[s1, 2] = ((int)strlen(" ") ? lltostr(-2) : dirname("a")); 
	printf("[%s]", cleanpath(strrchr(strstr(",a", this->s2), '/'))); printf("8\n"); }
BEGIN { exit(0); }
