/*
 * NULL strings: what is one, how they compare, and that using one is a fault.
 * @stderr
 * @ref d-language 10.2 null-equality null-below-all empty-is-not-null
 * @ref d-language 10.4 assigned-null null-use-faults unselected global-unassigned
 * @ref d-language 10.4 element-unassigned
 * @ref d-builtins 0 null-strings-fault
 * @ref d-language 8.3 unset-string-used unset-string-compared
 */
#pragma D option quiet

string declared;
self string thread;
string elem[int];

ERROR
/arg4 == 1 && arg5 == 0/
{
	faults++;
}

BEGIN
{
	printf("never assigned %d %d %d\n", declared == NULL, self->thread == NULL, elem[1] == NULL);
	printf("declared is empty [%s] %d\n", declared, declared == "");
	s = "x";
	s = NULL;
	printf("assigned NULL %d %d %d\n", s == NULL, s != NULL, s == 0);
	s = "x";
	printf("set %d %d %d\n", s == NULL, s != NULL, NULL != s);
	s = 0;
	printf("assigned 0 %d\n", s == NULL);
	s = "";
	printf("empty isn't NULL %d %d\n", s == NULL, s != NULL);
	s = NULL;
	printf("NULL and strings %d %d %d %d\n", s == "", s == "a", s != "", s != "a");
	printf("NULL is below %d %d %d %d\n", s < "a", s < "", s <= "", s >= "a");
	printf("above NULL %d %d %d %d\n", "a" > s, "" > s, "" >= s, "a" <= s);
	t = s;
	printf("both NULL %d %d %d %d\n", s == t, s != t, s <= t, s < t);
	printf("NULL is NULL %d\n", t == NULL);
	printf("%s\n", s != NULL ? s : "none");
	self->thread = "y";
	elem[1] = "z";
	printf("now %d %d\n", self->thread == NULL, elem[1] == NULL);
	self->thread = 0;
	elem[1] = NULL;
	printf("and again %d %d\n", self->thread == NULL, elem[1] == NULL);
	elem[2] = "";
	printf("an empty element %d [%s]\n", elem[2] == NULL, elem[2]);
	x = s != NULL ? strlen(s) : -1;
	printf("guarded %d\n", x);
}

BEGIN { trace("lost"); trace(s); }
BEGIN { printf("%s", self->thread); }
BEGIN { x = strlen(elem[1]); }
BEGIN { x = strlen(NULL); }
BEGIN { x = strjoin("a", s) == "a"; }
BEGIN { x = substr(s, 1) == "a"; }
BEGIN { x = basename(s) == "a"; }
BEGIN { x = dirname(s) == "a"; }
BEGIN { printf("%s", s == NULL ? s : "none"); }
BEGIN { printf("%d faults\n", faults); exit(0); }
