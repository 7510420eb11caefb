/*
 * User stacks, symbols and names as keys: frames with their functions, one row for each, also
 * when the process has ended.
 * @trigger frames 25
 * @args -q -x switchrate=300ms
 * @filter '/^ +libc/d; s/\+0x[0-9a-f]+/+N/; s/0x[0-9a-f]{5,}/0xADDR/'
 * @ref d-language 15 stack-and-symbol-keys
 * @ref output 6.1 reduced-user; output 6 key-value-line
 * @ref d-builtins 8.1 k
 * @ref d-builtins 5.3 merged-keys
 */
int n;

syscall::getppid:entry
/pid == $target/
{
	@stack["stack of three", ustack(3)] = count();
	@top[ustack(1)] = count();
	@sum[execname, ustack(2), 7] = sum(2);
	@sym[usym(arg0 + n % 3)] = count();
	@addr[uaddr(arg0), umod(arg0)] = count();
	@fmt[ustack(2)] = count();
	@dist[ustack(1)] = quantize(n);
	n++;
}

END
{
	printa("%@d calls:%k--\n", @fmt);
	printa("indented by 4:%-4kto the left\n", @fmt);
}
