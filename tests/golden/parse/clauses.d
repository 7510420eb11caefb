/*
 * Clauses: descriptions as written, lists, bodies.
 * @status 1
 * @filter '/^dtrace: /d'
 * @ref d-language 3 description-list empty-statements; d-language 4 empty-component numeric-id */
BEGIN { }
BEGIN{}END{}
dtrace:::BEGIN { ; }
:::BEGIN { ;; a; ; }
syscall::open*:entry, syscall::[rw]*:return,
proc:::?xec
{
	a
}
syscall::*: { a; b }
1 { a; }
1,2,BEGIN { a; }
p-1:m.so.6:f`g:n!m { a; }
profile-97 { a; }
tick-1sec { a; }
a\*b:c[!d-f]g { }
::: { }
foo_t { a; }
int_thing:b { a; }
