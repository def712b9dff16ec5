import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate, placeholdersIn } from './template.ts'

test('values stand where their names stood, and are never read as a template themselves', () => {
  assert.equal(fillTemplate('{{a}} and {{ b }}.', { a: '{{b}} $& $1', b: '2' }), '{{b}} $& $1 and 2.')
})

test('a paragraph that is empty when it is filled leaves no gap; blank lines in a value stay', () => {
  assert.equal(
    fillTemplate('One\n\n{{none}}\n\n\nTwo {{value}}\n', { none: '', value: 'a\n\n\nb' }),
    'One\n\nTwo a\n\n\nb',
  )
})

test('a name without a value is an error that says which names there are', () => {
  assert.throws(() => fillTemplate('{{tols}}', { tools: '', form: '' }), {
    code: 'template',
    message: /^\{\{tols\}\} is not a placeholder of this template\. Did you mean "tools"\?/,
    fix: 'Placeholders: {{tools}}, {{form}}.',
  })
  for (const name of ['', 'constructor'])
    assert.throws(() => fillTemplate(`{{${name}}}`, { a: '' }), { code: 'template' })
})

test('braces that are no placeholder are text', () => {
  const text = '{"name": "…", "arguments": {"a": {}}} {{a b}}'
  assert.equal(fillTemplate(text, {}), text)
  assert.deepEqual(placeholdersIn(`${text} {{x}}`), ['x'])
})
