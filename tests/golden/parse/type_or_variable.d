/*
 * A name that is a type and a variable.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 1.9
 * @status 1
 */
BEGIN { (pid_t)(a); sizeof (pid_t); (pid_t *)a; }
BEGIN { (pid_t++); (pid_t[1]); (pid_t, 1); (pid_t.a); (pid_t + 1); }
BEGIN { pid_t = 1; (pid_t)(a); sizeof (pid_t); }
uid_t uid_t;
BEGIN { (uid_t)(a); }
int f(int gid_t) { return (gid_t)(a); }
BEGIN { (gid_t)(a); foreach (gid_t in b) (gid_t)(a); }
return, while { a; }
BEGIN { 1 + ; }
