import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Handles } from './handles.ts'

describe('handles', () => {
  test('name the objects of a client by kind and place, and are found again', () => {
    const payees = new Handles('payee', ['KZ-1', 'KZ-2'])
    assert.equal(payees.nameOf('KZ-2'), 'payee:2')
    assert.equal(payees.find('payee:2'), 'KZ-2')
  })

  test('the same objects have the same names in another process, and later ones change none of them', () => {
    const before = new Handles('card', ['a', 'b'])
    const after = new Handles('card', ['a', 'b', 'c'])
    for (const id of ['a', 'b']) assert.equal(after.nameOf(id), before.nameOf(id))
  })

  test('nothing but such a name is found: no id, no other spelling, no other kind', () => {
    const payees = new Handles('payee', ['KZ-1', 'KZ-2'])
    const others = [
      'KZ-1',
      'payee:0',
      'payee:3',
      'payee:01',
      ' payee:1',
      'PAYEE:1',
      'payee:１',
      'payee:1.0',
      'card:1',
      '1',
      '',
    ]
    for (const name of [...others, '__proto__', 'constructor', 'payee:-1', 'payee:length'])
      assert.equal(payees.find(name), undefined, name)
  })

  test('whatever is said, what is found belongs to the client', () => {
    const ids = ['a', 'b', 'c']
    const handles = new Handles('card', ids)
    const said = fc.oneof(
      fc.string(),
      fc.nat(5).map((n) => `card:${n}`),
    )
    fc.assert(fc.property(said, (name) => ids.includes(handles.find(name) ?? 'a')))
  })

  test('an object that is not the client’s gets no name', () => {
    assert.throws(() => new Handles('card', ['a']).nameOf('b'), /not among the client's/)
  })
})
