import { describeLogSizes } from './log-sizes.ts'
import { openSqliteHarness } from './sqlite-harness.ts'
import { describeStore } from './store.ts'

describeStore('sqlite store', openSqliteHarness)
describeLogSizes('sqlite store', openSqliteHarness)
