/*
 * A path after usdt: cannot be parsed; the hint names the provider.
 * @args -x explain
 */
usdt:/usr/bin/python3:python:function__entry { }
