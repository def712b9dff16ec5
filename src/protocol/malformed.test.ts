import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MALFORMED } from '../../test/support/malformed-json.ts'
import { WRITINGS } from '../../test/support/writings.ts'
import { callsIn, parsedBy } from './protocol.contract.ts'

for (const { name, protocol, body, wrap } of WRITINGS.filter(({ protocol }) => protocol.name !== 'native'))
  test(`${name}: of forty malformed arguments none is run as something else`, () => {
    let right = 0
    for (const { what, text, meant } of MALFORMED.filter(({ text }) => text.trim() !== '')) {
      const bodyText = JSON.stringify(body('look', { mark: 1 })).replace(/\{"mark":1\}|"\{\\"mark\\":1\}"/, () =>
        JSON.stringify(body('look', {})).includes('"{}"') ? JSON.stringify(text) : text,
      )
      const parsed = parsedBy(protocol, wrap('look', [bodyText]))
      const runs = parsed.kind === 'calls' && parsed.calls.every(({ problem }) => problem === undefined)
      if (runs) assert.deepEqual(callsIn(parsed), [['look', meant]], what)
      if (runs || typeof meant === 'string') right += 1
    }
    assert.ok(right >= 34, `${right}`)
  })
