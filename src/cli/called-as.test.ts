import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../app/settings.ts'
import { calledAs } from './called-as.ts'

test('lines to copy name the command as this person calls it', () => {
  const as = (script: string, told?: string) =>
    calledAs(readSettings(told ? { TAO_CALLED_AS: told } : {}), script, '/project')
  assert.equal(as('/usr/local/bin/tao'), 'tao')
  assert.equal(as('/project/node_modules/.bin/tao'), 'npx tao')
  assert.equal(as('/project/src/cli/main.ts'), 'npm run tao --')
  assert.equal(as('/project/bin/tao.js'), 'node bin/tao.js')
  assert.equal(as('/opt/tao/bin/tao.js'), 'node /opt/tao/bin/tao.js')
  assert.equal(as('/usr/bin/tao', 'docker run tao'), 'docker run tao')
})
