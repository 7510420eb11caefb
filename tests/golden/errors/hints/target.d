/*
 * $target without a process.
 * @args -x explain
 */
pid$target::malloc:entry { }
