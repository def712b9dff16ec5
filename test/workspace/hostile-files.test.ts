import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sandboxUser } from '../../src/sandbox/user.ts'
import { callOf, saying } from '../support/bench.ts'
import { type Ended, openTao, type TaoCommand } from '../support/tao-command.ts'

/** Names that somebody's code could call in the agent's folder. */
const TEMPTING = ['git', 'npm', 'npx', 'node', 'sh', 'bash', 'make', 'python3', 'diff', 'patch', 'hg', 'cat']

/** What the agent plants: each of these would run a program where an innocent tool looks into the folder. */
const plantAll = (marker: string): string => `
mkdir -p .git/hooks .husky node_modules/.bin sub/.git/hooks
git init -q sub
cat >evil.sh <<'END'
#!/bin/sh
echo planted >>${marker}; cat
END
chmod +x evil.sh
for config in .git/config sub/.git/config .gitconfig; do
  for key in core.fsmonitor core.pager core.editor diff.external diff.evil.textconv diff.evil.command filter.evil.clean; do
    git config -f $config $key 'echo planted >>${marker};:'
  done
  git config -f $config core.hooksPath ..
done
for hook in pre-commit post-checkout post-index-change pre-applypatch applypatch-msg; do
  cp evil.sh .git/hooks/$hook; cp evil.sh sub/.git/hooks/$hook; cp evil.sh $hook
done
printf '* diff=evil filter=evil\\n' >.gitattributes
printf 'script-shell=%s\\nprefix=.\\n' ./evil.sh >.npmrc
printf '{"scripts":{"preinstall":"./evil.sh","test":"./evil.sh","prepare":"./evil.sh"}}' >package.json
for name in ${TEMPTING.join(' ')}; do cp evil.sh node_modules/.bin/$name; done
printf 'require("fs").appendFileSync("${marker}","planted\\\\n")\\n' >.mocharc.js
cp .mocharc.js biome.config.js; cp .mocharc.js node_modules/diff.js
echo changed >a.txt
`

/** A search path on which every name is a program that only writes down that it was called. */
async function writeTraps(tao: TaoCommand, called: string): Promise<string> {
  const folder = join(tao.folder, 'traps')
  await mkdir(folder)
  for (const name of TEMPTING) {
    await writeFile(join(folder, name), `#!/bin/sh\necho ${name} >>${called}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

/** What a process said of each program that it started: Node notes it down for whoever asks. */
const startedIn = ({ stderr }: Ended): { readonly file: string; readonly said: string }[] =>
  stderr
    .split(/^CHILD_PROCESS \d+: /m)
    .filter((said) => said.startsWith('spawn'))
    .map((said) => ({ file: /^ {2}file: '([^']*)'/m.exec(said)?.[1] ?? said, said }))

/** Git on the host, with the rights that commands of a run have. */
async function bites(tao: TaoCommand, marker: string): Promise<boolean> {
  const { uid, gid, dropped } = sandboxUser()
  const [run = ''] = await readdir(join(tao.home, 'work'))
  const cwd = join(tao.home, 'work', run, 'copy/sub')
  const env = { PATH: '/usr/bin:/bin', HOME: '/' }
  spawnSync('git', ['status'], { cwd, env, ...(dropped ? { uid, gid } : {}) })
  return (await readFile(marker, 'utf8')).includes('planted')
}

test('nothing that the agent planted runs on the host, and no program but the sandbox is started there', async () => {
  await using tao = await openTao({ 'a.txt': 'one\n', '.git/HEAD': 'ref: refs/heads/main\n' })
  const [marker, called] = [join(tao.folder, 'marker'), join(tao.folder, 'called')]
  for (const file of [marker, called]) await writeFile(file, '')
  await chmod(marker, 0o666)
  const env = { PATH: await writeTraps(tao, called), NODE_DEBUG: 'child_process', HOME: tao.folder }
  const calls = [callOf('bash', { command: plantAll(marker) }), callOf('read_file', { path: 'a.txt' })]
  const model = await tao.script([{ calls }, saying('done')])
  const done = ['--done', 'grep -q changed a.txt']
  const runs = [await tao.run(['run', 'Do it.', '-w', 'project', ...done, ...model], env)]
  assert.equal(runs[0]?.code, 0, runs[0]?.stdout)
  for (const argv of [['show'], ['runs'], ['diff'], ['apply', 'latest'], ['diff'], ['clean']]) {
    const ended = await tao.run(argv, env)
    assert.equal(ended.code, 0, `${argv}: ${ended.stderr.slice(-2_000)}`)
    runs.push(ended)
  }
  assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'changed\n')
  assert.deepEqual([await readFile(marker, 'utf8'), await readFile(called, 'utf8')], ['', ''])
  assert.ok(await bites(tao, marker), 'what was planted does run where git looks into the folder')
  const started = runs.flatMap(startedIn)
  // The guard shell starts bubblewrap and waits. rm removes our own copies when they have served, du says how large they
  // are: neither reads what is in a file.
  assert.deepEqual([...new Set(started.map(({ file }) => file))].sort(), ['/bin/rm', '/bin/sh', '/usr/bin/du'])
  for (const { file, said } of started) if (file === '/bin/sh') assert.match(said, /'\S*\/bwrap'/)
  assert.ok((await readdir(tao.project)).includes('package.json'), 'the planted files were there')
})
