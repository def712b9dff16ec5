// Preloaded into a process that is to be killed, as TAO_TEST_KILL says: SIGKILL right before its n-th commit, right after it, or
// some milliseconds later (`within`), which is in the middle of a tool when the commit was about its start.
import { DatabaseSync } from 'node:sqlite'

const [when, at] = (process.env.TAO_TEST_KILL ?? '').split(':')
const SOON_MS = 20
const kill = () => process.kill(process.pid, 'SIGKILL')
let commits = 0

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (sql !== 'COMMIT') return statement
  const run = statement.run.bind(statement)
  statement.run = (...given) => {
    commits += 1
    if (when === 'before' && commits === Number(at)) kill()
    const result = run(...given)
    if (when === 'after' && commits === Number(at)) kill()
    if (when === 'within' && commits === Number(at)) setTimeout(kill, SOON_MS)
    return result
  }
  return statement
}

process.on('exit', () => {
  if (when === 'count') process.stderr.write(`commits: ${commits}\n`)
})
