/*
 * Off a terminal DTrace's line alone, to the letter.
 * @ref d-errors 1.1
 */
BEGIN { trace(curthread->com); }
syscall::opne:entry { }
