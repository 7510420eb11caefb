/*
 * flowindent with quiet: columns, but only the newlines of the program.
 * @trigger values ints 1 2
 * @pinned
 * @args -F -q
 * @filter 's/^( *)[0-9]+ /  0 /'
 * @ref d-builtins 5.0 flowindent
 * @ref output 1 flow-quiet-end
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d\n", arg0);
}

syscall::getppid:return
/pid == $target/
{
	printf("back\n");
}
