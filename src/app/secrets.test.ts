import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scripted } from '../model/scripted.ts'
import { run } from './run-task.ts'
import { KEY_VARIABLES, maskerForScreen, openMasker, type SecretsWish } from './secrets.ts'
import { type Environment, readSettings } from './settings.ts'

const settings = (environment: Environment) => readSettings(environment, { uid: 1000, homeFolder: '/home/me' })

const masked = (environment: Environment, text: string, wish: SecretsWish = {}): string | undefined =>
  openMasker(settings(environment), wish)?.mask(text)

test('every key of the environment is masked by its name, used or not', () => {
  for (const name of KEY_VARIABLES)
    assert.equal(masked({ [name]: 'abcdefgh1' }, 'x abcdefgh1 y'), `x [secret:${name}] y`)
  const jina = { JINA_API_KEYS: 'jina_11111111, jina_22222222' }
  assert.equal(masked(jina, 'jina_22222222 jina_11111111'), '[secret:JINA_API_KEYS] [secret:JINA_API_KEYS]')
  const journal = { TAO_JOURNAL: 'postgres://tao:s3cret%2Fword@db.example.com/tao' }
  assert.equal(masked(journal, 'tao s3cret/word'), 'tao [secret:TAO_JOURNAL]')
})

test('no file of this folder reads a key that is not in the list', () => {
  /** What these hold may be seen by anybody. */
  const open =
    /^(?:TAO_(?:SEARCH|SUMMARY_MODEL|JOURNAL|SECRETS|FETCH_\w+)|SUMMARY_MODEL_NAME|API_BASE|SEARXNG_URL|JINA_API_KEYS)$/
  const sources = globSync(join(import.meta.dirname, '*.ts')).filter((file) => !file.endsWith('.test.ts'))
  const read = sources.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/(?:keyFor\(|keyFor, |variable: )'([A-Z_]+)'/g),
      ([, name = '']) => name,
    ),
  )
  assert.ok(read.length > 10)
  assert.deepEqual(
    read.filter((name) => !open.test(name) && !KEY_VARIABLES.includes(name)),
    [],
  )
})

test('a key of a few characters, as local servers take them, is not hidden', () => {
  assert.equal(masked({ TAO_API_KEY: 'EMPTY' }, 'EMPTY'), undefined)
})

test('named variables and given values are masked too', () => {
  const environment = { TAO_SECRETS: 'ONE, TWO', ONE: 'first-one', TWO: 'second-one', THREE: 'third-one' }
  const text = masked(environment, 'first-one second-one third-one fourth-one', {
    variables: ['THREE'],
    values: ['fourth-one'],
  })
  assert.equal(text, '[secret:ONE] [secret:TWO] [secret:THREE] [secret:1]')
})

test('a named secret that is not set or too short is refused with a sentence, before anything is asked', async () => {
  assert.throws(() => openMasker(settings({ TAO_SECRETS: 'GONE' })), /GONE is named as a secret, and it is not set/)
  assert.throws(() => openMasker(settings({ TAO_SECRETS: 'PIN', PIN: '1234' })), /PIN has fewer than 8 characters/)
  await assert.rejects(
    run('Do it.', { model: scripted([]), secrets: ['short'] }),
    /secret 1 has fewer than 8 characters/,
  )
})

test('what is said beside a run is masked as far as it can be', () => {
  const masker = maskerForScreen(settings({ TAO_SECRETS: 'GONE,ONE,PIN', ONE: 'first-one', PIN: '1' }), {
    request: { secrets: ['TWO', 'NONE'] },
  })
  assert.equal(masker?.mask('first-one 1'), '[secret:ONE] 1')
})
