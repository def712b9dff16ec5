// Preloaded into a process that is to be killed: SIGKILL right before or right after its n-th commit, as TAO_TEST_KILL says.
import { DatabaseSync } from 'node:sqlite'

const [when, at] = (process.env.TAO_TEST_KILL ?? '').split(':')
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
    return result
  }
  return statement
}

process.on('exit', () => {
  if (when === 'count') process.stderr.write(`commits: ${commits}\n`)
})
