import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, scripted } from '../src/index.ts'
import { calling, saying } from './support/bench.ts'
import { givenTree } from './support/given-tree.ts'

const [, table = ''] =
  /<!-- environment -->(.*?)<!-- end of environment -->/s.exec(
    readFileSync(join(import.meta.dirname, '../docs/sandbox.md'), 'utf8'),
  ) ?? []
const DOCUMENTED = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name = '']) => name).sort()

/** What a shell and a language's start add of themselves. */
const OWN = new Set(['SHLVL', '_', 'OLDPWD', 'PYTHONPATH', 'LC_CTYPE'])

const LIST = 'env | sed "s/^/name: /"'

const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/^name: (\w+)=/gm), ([, name = '']) => name)
    .filter((name) => !OWN.has(name))
    .sort()

test('commands, programs and criteria have exactly the documented environment, whatever stands in that of Tao', async () => {
  process.env.TAO_PLANTED = 'planted-value'
  await using given = await givenTree({ 'a.txt': 'a' })
  const code = 'import os\nfor name in os.environ: print(f"name: {name}=")'
  const model = scripted([calling('bash', { command: LIST }), calling('python', { code }), saying('done')])
  const found: string[][] = []
  await run('Look.', {
    ...{ model, workspace: given.workspace.record.source, tools: ['bash', 'python'] },
    done: [{ command: `${LIST}; false` }],
    limits: { rejectedClaims: 1 },
    onEvent: (event) => {
      if (event.kind === 'call.finished') found.push(namesIn(event.observation))
      if (event.kind === 'check.finished') found.push(namesIn(event.detail))
      assert.doesNotMatch(JSON.stringify(event), /planted-value|TAO_PLANTED/)
    },
  })
  assert.ok(DOCUMENTED.length > 10)
  assert.deepEqual(found, [DOCUMENTED, DOCUMENTED, DOCUMENTED])
})
