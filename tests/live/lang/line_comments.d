/*
 * Two slashes begin a comment that ends with the line, anywhere but in a string or character; a slash that ends a
 * predicate may have either kind of comment right after it.  A backslash continues a line that ends with CR and LF, too.
 * @args -q
 * @ref d-language 1.1 comments line-comment continued-line; d-language 1.3 slash-in-predicate
 */
// a comment
#pragma D option quiet // yes
BEGIN // one
/* two */
/1 // three
== 1/ // four
{ // five
	x = 6 / 2; // six
	trace("http://a//b"); // 'x' " "
	y = 1; //* odd */ trace(3);
	trace('//' == 0x2f2f); // last \
	trace(5);
	y = x // a
		/ 3 // b
		; z = 1 \
		; /* // */ trace(y);
}
END /x == 3//* c */ { trace(8); }
END /x == 3/ /* c */ { trace(9); }
END /x == 3/ // c
{
	trace(10);
}
END /x == 3/// c
{
	trace(11);
}
END /x == 3 //* c
	&& y/ { trace(12); }
BEGIN { exit(0); } //
/*
//
*/
// the end, without a newline