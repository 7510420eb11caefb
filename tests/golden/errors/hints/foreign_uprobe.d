/*
 * A path after uprobe: cannot be parsed; the hint names the pid provider.
 * @args -x explain
 */
uprobe:/bin/bash:readline { }
