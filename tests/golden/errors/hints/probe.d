/*
 * A probe of a near name.
 * @args -x explain
 * @ref d-errors 2.2
 */
syscall::opne:entry { }
syscal:::entry { }
syscall:open:entry { }
dtrace:::begin { }
profile:::tik-5s { }
