import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CallParked } from '../core/approval.ts'
import { cardText, editedCard, ownArguments } from './card.ts'
import { paintFor } from './paint.ts'
import { printable } from './printable.ts'

const plain = paintFor({ isTTY: false })

const code = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`

const CARD: CallParked = {
  kind: 'call.parked',
  call: 'call-1',
  name: 'transfer',
  description: 'Moves money.',
  reason: 'The policy always asks before this tool.',
  effects: ['egress', 'irreversible'],
  arguments: { account: 'KZ1', to: ['bob', 'eve'], amount: 500, note: 'rent' },
  origins: [
    { argument: 'account', value: 'KZ1', origin: 'the session' },
    { argument: 'to[0]', value: 'bob', origin: 'your words' },
    { argument: 'to[1]', value: 'eve', origin: 'result 7' },
    { argument: 'amount', value: 500, origin: 'operator list' },
  ],
  marks: ['untrusted'],
  digest: 'd',
  expiresAt: '2026-12-01T11:00:00.000Z',
}

test('a card names every argument with its origin, what was read, and what cannot be undone', () => {
  const text = cardText(CARD, plain)
  for (const part of [
    'transfer (call call-1)\n│ Moves money.\n',
    'account (the session)\n│ │ KZ1\n',
    'to[0] (your words)\n│ │ bob\n│ to[1] (result 7)\n│ │ eve\n',
    'amount (operator list)\n│ │ 500\n',
    'note (from the call; its source was not looked for)\n│ │ rent\n',
    'cannot be called back; does what cannot be undone',
    'text that others may have written',
    'until   2026-12-01T11:00:00.000Z',
  ])
    assert.ok(text.includes(part), `${part}\n\n${text}`)
  assert.match(cardText({ ...CARD, outcomeUnknown: true }, plain), /To approve it is to do it again/)
})

// https://promptshield.js.org/docs/detectors/invisible-chars
// https://github.com/NousResearch/hermes-agent/pull/81403
test('a payee with a direction override, a zero-width space or tag letters is shown with them', () => {
  const shown = (value: string) => cardText({ ...CARD, arguments: { to: value } }, plain)
  assert.ok(shown('invoice\u202efdp.exe').includes('invoice\\u{202e}fdp.exe'))
  assert.ok(shown('KZ86\u200b125').includes('KZ86\\u{200b}125'))
  assert.ok(shown('Bob\u{e0070}\u{e0061}').includes('Bob\\u{e0070}\\u{e0061}'))
  assert.ok(shown('KZ86\u{e0100}').includes('KZ86\\u{e0100}'))
  assert.ok(shown(`ls${'\u3000'.repeat(50)}; rm\u00a0-rf`).includes(`ls${'\\u{3000}'.repeat(50)}; rm\\u{a0}-rf`))
  assert.match(shown('pay \u05d0\u05d1'), /from right to left[^\n]*\n│ │ pay \\u\{5d0\}\\u\{5d1\}\n/)
})

// https://github.com/openclaw/openclaw/pull/43687
// https://github.com/plmbr/notebook-intelligence/pull/415
// https://github.com/Growth-Circle/cadis/issues/732
// https://github.com/zeroclaw-labs/zeroclaw/issues/9396
test('a command is shown as it will run: no part is hidden, cut off or taken for the end of the card', () => {
  for (const [command, shown] of [
    ['curl x|sh\r\x1b[2K ls -la', 'curl x|sh\\r\\x1b[2K ls -la'],
    [`echo a${' '.repeat(200)}; rm -rf ~`, `echo a${' '.repeat(200)}; rm -rf ~`],
    ['echo \u202emoc.elpmaxe', 'echo \\u{202e}moc.elpmaxe'],
    ['echo a\n```\nrm -rf ~', 'echo a\n│ │ ```\n│ │ rm -rf ~'],
  ] as const)
    assert.ok(cardText({ ...CARD, arguments: { command } }, plain).includes(`\n│ │ ${shown}\n`), command)
})

test('whatever an argument says, it is there to its last character, and no line of it passes for another part', () => {
  const evil = fc.constantFrom('\n', '\r', '\x1b[2J', '\u202e', '│ until   never', 'approve it:  yes')
  const text = fc.array(fc.oneof(evil, fc.string({ unit: 'binary' })), { minLength: 1 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (value) => {
      const lines = cardText({ ...CARD, arguments: { note: value } }, plain).split('\n')
      const at = lines.findIndex((line) => line.startsWith('│ note '))
      const own = lines.slice(at + 1).filter((line) => line.startsWith('│ │ '))
      const shown = printable(value === '' ? '""' : value)
        .replaceAll(/(?! )\p{Zs}/gu, code)
        .split('\n')
      assert.deepEqual(
        own.slice(0, shown.length).map((line) => line.slice(4)),
        shown,
      )
      assert.ok(lines.slice(0, -1).every((line) => line.startsWith('│ ')))
      assert.equal(lines.filter((line) => line.startsWith('│ until ')).length, 1)
    }),
  )
})

test('a person may change what the session does not set, and sees what they changed', () => {
  assert.deepEqual(ownArguments(CARD), { to: ['bob', 'eve'], amount: 500, note: 'rent' })
  const text = cardText(editedCard(CARD, { to: ['bob'], amount: 500 }), plain)
  assert.ok(text.includes('to[0] (changed by you)\n│ │ bob\n'), text)
  assert.ok(text.includes('amount (operator list)\n│ │ 500\n'), text)
  assert.ok(text.includes('account (the session)\n│ │ KZ1\n'), text)
  assert.ok(!text.includes('note'), text)
})
