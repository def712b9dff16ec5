import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChain } from './chain.ts'
import { finished } from './journal.contract.ts'
import type { EventRecord } from './stored-journal.ts'
import { KEY, problemOf, type StoredPlace, written } from './stored-place.contract.ts'
import type { Problem } from './verify.ts'

type Mutation = (a: EventRecord[], b: readonly EventRecord[]) => EventRecord[]

const renumber = (records: readonly EventRecord[]): EventRecord[] => records.map((record, seq) => ({ ...record, seq }))
const edit = (record: EventRecord, from: string, to: string): EventRecord => ({
  ...record,
  fact: record.fact.replace(from, to),
})
const change = (records: readonly EventRecord[], seq: number, how: (record: EventRecord) => EventRecord) =>
  records.map((record) => (record.seq === seq ? how(record) : record))
const at = (records: readonly EventRecord[], place: number): EventRecord => {
  const record = records[place]
  assert.ok(record)
  return record
}

/** What was done to run a; what is said of it with the key alone, and with the checkpoints too. */
const MUTATIONS: Readonly<Record<string, readonly [Mutation, alone: string | undefined, withCheckpoints: string]>> = {
  'an edited text': [(a) => change(a, 1, (record) => edit(record, 'one', 'uno')), 'edited 1', 'edited 1'],
  'an edited time': [(a) => change(a, 2, (record) => ({ ...record, at: at(a, 1).at ?? '' })), 'edited 2', 'edited 2'],
  'an edited link': [
    (a) => change(a, 3, (record) => ({ ...record, link: at(a, 2).link ?? '' })),
    'edited 3',
    'edited 3',
  ],
  'two events that changed places': [
    (a) => renumber([at(a, 0), at(a, 2), at(a, 1), at(a, 3)]),
    'spliced 1',
    'spliced 1',
  ],
  'two facts that changed places under their links': [
    (a) => renumber([at(a, 0), { ...at(a, 2), link: at(a, 1).link ?? '' }, { ...at(a, 1), link: at(a, 2).link ?? '' }]),
    'spliced 1',
    'spliced 1',
  ],
  'one of the middle dropped': [(a) => a.filter(({ seq }) => seq !== 1), 'cut 1', 'cut 1'],
  'the first dropped': [(a) => a.slice(1), 'cut 0', 'cut 0'],
  'one of the middle dropped and the rest renumbered': [
    (a) => renumber(a.filter(({ seq }) => seq !== 1)),
    'edited 1',
    'edited 1',
  ],
  'one repeated': [(a) => renumber([...a.slice(0, 2), at(a, 1), ...a.slice(2)]), 'spliced 2', 'spliced 2'],
  'an event of another run in its place': [(a, b) => change(a, 2, () => at(b, 2)), 'spliced 2', 'spliced 2'],
  'the end of another run appended': [(a, b) => [...a, { ...at(b, 3), seq: 4 }], 'spliced 4', 'spliced 4'],
  'the last dropped': [(a) => a.slice(0, -1), undefined, 'cut 3'],
  'everything dropped': [() => [], undefined, 'cut 0'],
  'the last half written': [
    (a) => change(a, 3, ({ fact, ...rest }) => ({ ...rest, fact: fact.slice(0, 20) })),
    'torn 3',
    'edited 3',
  ],
  'one in the middle half written': [
    (a) => change(a, 2, ({ fact, ...rest }) => ({ ...rest, fact: fact.slice(0, 20) })),
    'edited 2',
    'edited 2',
  ],
  'a newer version': [
    (a) =>
      stamp(
        'a',
        change(a, 0, (record) => edit(record, '"formatVersion":1', '"formatVersion":9')),
        KEY,
      ),
    'version 0',
    'edited 0',
  ],
}

/** What only who has the key can do right. */
function stamp(run: string, records: readonly EventRecord[], key?: string): EventRecord[] {
  const chain = openChain(key)
  let link = chain.start(run)
  return records.map((record) => {
    link = chain.next(link, record.at ?? '', record.fact)
    return { ...record, link }
  })
}

const told = (problem: Problem | undefined): string | undefined => problem && `${problem.kind} ${problem.seq}`

/** What is said of a run that was changed behind Tao's back, and what a journal does with it. */
export function integrity(openPlace: () => Promise<StoredPlace>): void {
  test('what was recorded is sound', async () => {
    const { reader, checkpoints } = await written(openPlace)
    for (const run of ['a', 'b']) assert.equal(await problemOf(reader, run, { key: KEY, checkpoints }), undefined)
    assert.deepEqual(
      checkpoints.of('b').map(({ count }) => count),
      [4],
    )
    await reader.close()
  })

  // https://github.com/aileron-sh/aileron/releases/tag/v0.1.3
  test('every mutation is told for what it is, with the first event it concerns', async () => {
    const { place, reader, checkpoints, a, b } = await written(openPlace)
    for (const [what, [mutate, alone, withCheckpoints]] of Object.entries(MUTATIONS)) {
      await place.rewrite('a', mutate(a, b))
      assert.equal(told(await problemOf(reader, 'a', { key: KEY })), alone, `${what}, by the chain alone`)
      assert.equal(told(await problemOf(reader, 'a', { key: KEY, checkpoints })), withCheckpoints, what)
      assert.equal(await problemOf(reader, 'b', { key: KEY, checkpoints }), undefined, 'other runs are not concerned')
    }
    await reader.close()
  })

  test('an edit that is stamped again without the key is told', async () => {
    const { place, reader, checkpoints, a } = await written(openPlace)
    const edited = change(a, 1, (record) => edit(record, 'one', 'uno'))
    await place.rewrite('a', stamp('a', edited, 'a key of their own'))
    assert.equal(told(await problemOf(reader, 'a', { key: KEY })), 'edited 0')
    await place.rewrite('a', stamp('a', edited), 'sha256')
    assert.equal(told(await problemOf(reader, 'a', { key: KEY })), 'unkeyed 0')
    assert.equal(told(await problemOf(reader, 'a', { key: KEY, checkpoints })), 'edited 0')
    await place.rewrite(
      'a',
      edited.map(({ link: _, ...record }) => record),
      null,
    )
    assert.equal(told(await problemOf(reader, 'a', { key: KEY })), 'unchained 0')
    assert.equal(told(await problemOf(reader, 'a', { key: KEY, checkpoints })), 'edited 0')
    assert.equal(told(await problemOf(reader, 'b', { key: 'some other long key' })), 'other-key 0')
    assert.equal(told(await problemOf(reader, 'b')), 'other-key 0')
    await reader.close()
  })

  test('without a key, an edit that is stamped again is told by a checkpoint only', async () => {
    const { place, reader, checkpoints, a } = await written(openPlace, null)
    assert.equal(await problemOf(reader, 'a', { checkpoints }), undefined)
    await place.rewrite(
      'a',
      stamp(
        'a',
        change(a, 1, (record) => edit(record, 'one', 'uno')),
      ),
    )
    assert.equal(await problemOf(reader, 'a'), undefined)
    assert.equal(told(await problemOf(reader, 'a', { checkpoints })), 'edited 0')
    await reader.close()
  })

  test('a run goes on with the chain it was begun with, and not with another key', async () => {
    const { place, reader, b } = await written(openPlace)
    const other = await place.open({ key: 'some other long key' })
    other.append(finished('a', 4))
    await assert.rejects(other.flush('a', 'committed'), /Run a was recorded with another key/)
    await assert.rejects(
      other.close().then(() => other.runs()),
      /closed/,
    )
    await place.rewrite('b', stamp('b', b), 'sha256')
    reader.append(finished('a', 4))
    reader.append(finished('b', 4))
    await reader.flush('a', 'committed')
    assert.equal(await problemOf(reader, 'a', { key: KEY }), undefined)
    assert.equal(await problemOf(reader, 'b'), undefined)
    await reader.close()
  })

  test('a run from before there were chains goes on without one', async () => {
    const { place, reader, a } = await written(openPlace)
    await place.rewrite(
      'a',
      a.map(({ link: _, ...record }) => record),
      null,
    )
    reader.append(finished('a', 4))
    assert.equal((await reader.read('a')).length, 5)
    assert.equal(told(await problemOf(reader, 'a', { key: KEY })), 'unchained 0')
    await reader.close()
  })

  // https://github.com/PrimeIntellect-ai/prime-agent/pull/1785
  test('a torn last event is set aside, that is said, and the run goes on before it', async () => {
    const { place, reader, a } = await written(openPlace)
    await place.rewrite(
      'a',
      change(a, 3, ({ fact, ...rest }) => ({ ...rest, fact: fact.slice(0, 20) })),
    )
    const notices: string[] = []
    const journal = await place.open({ key: KEY, onNotice: (notice) => notices.push(notice) })
    assert.equal((await journal.read('a')).length, 3)
    assert.match(notices.join(), /^Event 3, the last one of run a in .*, was half written and has been set aside/)
    journal.append(finished('a', 3, 'again'))
    assert.deepEqual((await journal.read('a')).at(-1), finished('a', 3, 'again'))
    assert.equal(notices.length, 1)
    assert.equal(await problemOf(journal, 'a', { key: KEY }), undefined)
    await journal.close()
    await reader.close()
  })

  test('a last event that a checkpoint has seen whole is not taken for a torn one', async () => {
    const { place, reader, checkpoints, a } = await written(openPlace)
    await place.rewrite(
      'a',
      change(a, 3, ({ fact, ...rest }) => ({ ...rest, fact: fact.slice(0, 20) })),
    )
    const journal = await place.open({ key: KEY, checkpoints })
    await assert.rejects(journal.read('a'), /Event 3 of run a .* is torn/)
    await journal.close()
    await reader.close()
  })

  test('a run of a newer version is refused with a sentence, and others are read', async () => {
    const { place, reader, a } = await written(openPlace)
    await place.rewrite(
      'a',
      change(a, 0, (record) => edit(record, '"formatVersion":1', '"formatVersion":9')),
    )
    await assert.rejects(reader.read('a'), /Run a has format 9; this version of Tao reads up to 1/)
    assert.equal((await reader.read('b')).length, 4)
    assert.equal((await reader.runs()).length, 2)
    await reader.close()
  })
}
