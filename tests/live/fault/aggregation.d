/*
 * A fault in an aggregation's key or value: no key is made, nothing is counted.
 * @trigger values ints 0 4 0
 * @args -q
 * @ref d-language 5.1 effects-remain
 * @ref d-language 5.5 keys-before-value
 */
syscall::getppid:entry
/pid == $target/
{
	@value["value"] = sum(8 / (int)arg0);
	@done["after value"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@key[8 / (int)arg0] = count();
	@done["after key"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@dist = quantize(8 / (int)arg0);
	@inc = quantize(1, 8 / (int)arg0);
	@done["after distributions"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@all = count();
}
