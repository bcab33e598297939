/** The rounds of the crash test, 500 of them. */
import '../crash/damage.test.ts'
