// Tao beside other frameworks, in a harness that has one file with this export for each of them. See ../README.md.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const repo = process.env.TAO_REPO
if (repo === undefined) throw new Error('Set TAO_REPO to a checkout of Tao in which `npm run bench` has been run.')

const load = (path) => import(pathToFileURL(path).href)
const { openTao } = await load(join(repo, 'node_modules/.cache/tao-bench/bench/runners/tao.js'))
const { tool } = await load(join(repo, 'node_modules/.cache/tao-bench/src/tools/define.js'))
const { SYSTEM, TOOL, DESCRIPTION, schema, lookup } = await load(join(import.meta.dirname, '../work.mjs'))

/** Options: address up to `/v1`, model calls a run may make, whether to stream, a path for the database. */
export default async ({ baseURL, maxSteps, stream, db }) => {
  const only = tool({ name: TOOL, description: DESCRIPTION, input: schema, effects: 'read', run: lookup })
  const setting = { baseUrl: baseURL, rounds: maxSteps, stream, database: db, everyCommitDurable: false }
  const agent = openTao(setting, SYSTEM, only)
  return (task, id) => agent.run(task, id)
}
