/*
 * What is left of a description with $target in double quotes.
 * @args -x explain
 */
pid:libc:malloc:entry { }
