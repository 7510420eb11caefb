// SPDX-License-Identifier: Apache-2.0
package dtrace;

/** What edited methods call, in Java: counts the beginnings and ends of methods, and prints both. */
public class Probes {
	private static long begun, ended;

	static {
		Runtime.getRuntime().addShutdownHook(
			new Thread(() -> System.err.println("begun " + begun + " ended " + ended)));
	}

	public static void entry(int n) { begun++; }
	public static void args(long a, long b, long c, long d, long e, long f,
			Object o, Object p, Object q, Object r, Object s, Object t, int n) { begun++; }
	public static void returned(int n) { ended++; }
	public static void returnedInt(int v, int n) { ended++; }
	public static void returnedLong(long v, int n) { ended++; }
	public static void returnedObject(Object v, int n) { ended++; }
	public static void returnedString(String v, int n) { ended++; }
	public static void thrown(int n) { ended++; }
}
