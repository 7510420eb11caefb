/*
 * Blanks, comments and control lines anywhere between tokens.
 * @ref d-language 1.1 whitespace comments continued-line control-line; d-language 18 line */
#pragma D option quiet
BEGIN{a=1;b=a+++a;c=a-- - --a;d=a<<=1;}
  BEGIN	{/**/x/**/=/* * / */1/* / */;/***/}
BEGIN
/* before the predicate */
/ a > 1 /* in it */ /
/* before the body */
{
	y =
#pragma D option aggsortrev
		1 /* 2 */
		+ \
		3
	;
}
END{z=1}BEGIN{w=2}
# 50 "renamed.d"
BEGIN { v = 3; }
