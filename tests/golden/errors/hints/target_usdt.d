/*
 * $target without a process, in the name of a program's provider.
 * @args -x explain
 */
node$target:::gc-start { }
