/*
 * A provider of other systems.
 * @args -x explain
 */
plockstat123:::mutex-block { }
