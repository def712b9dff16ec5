import { FORMAT_VERSION } from '../core/event.ts'
import { type Chain, isKeyed, openChain } from './chain.ts'
import { isTorn, parseFact } from './stored-event.ts'
import type { Checkpoint, EventRecord, RunRecords } from './stored-journal.ts'

/**
 * What is wrong with a run. Its record was: `edited`, `cut` (events are missing), `spliced` (an event stands where it was
 * not recorded: of another run, or another place of this one), `torn` (the last event is half written, as a crash leaves
 * it), of a newer `version`. Or nothing proves that it was not: it is `unchained` (recorded before there were chains),
 * `unkeyed` (anybody could have made its links, though there is a key), or of an `other-key`.
 */
export type ProblemKind = 'edited' | 'cut' | 'spliced' | 'torn' | 'version' | 'unchained' | 'unkeyed' | 'other-key'

export interface Problem {
  readonly kind: ProblemKind
  /** The first event that is concerned. */
  readonly seq: number
  /** A sentence. */
  readonly detail: string
}

export interface Witnesses {
  /** With the key of this deployment, when there is one. */
  readonly chain: Chain
  /** Of this run, as they were written. */
  readonly checkpoints: readonly Checkpoint[]
  /** Links of the journal and the starts of its runs, to tell where a record came from; asked only when one is wrong. */
  readonly linksElsewhere: () => Promise<readonly string[]>
}

/** The first problem of a run; undefined when it is what was recorded. Takes one pass, and a second one for a wrong event. */
export async function findProblem(run: RunRecords, witnesses: Witnesses): Promise<Problem | undefined> {
  const chain = chainFor(run, witnesses.chain)
  if ('kind' in chain) return findBreak(run, undefined, witnesses) ?? findRemovedChain(run, witnesses) ?? chain
  const broken = findBreak(run, chain, witnesses)
  if (broken?.kind === 'edited') return (await findOrigin(run, broken, { ...witnesses, chain })) ?? broken
  return broken ?? findCut(run, witnesses.checkpoints) ?? findUnkeyed(run, witnesses.chain) ?? findNewer(run)
}

/** The chain that the run says it has; a problem when that cannot be followed here. */
function chainFor({ chain }: RunRecords, ours: Chain): Chain | Problem {
  if (chain === ours.name) return ours
  if (chain === 'sha256') return openChain()
  if (chain === undefined)
    return { kind: 'unchained', seq: 0, detail: 'It was recorded before events were chained: nothing proves it.' }
  if (!isKeyed(chain))
    return { kind: 'version', seq: 0, detail: `It is chained by "${chain}", which this version of Tao does not know.` }
  const without = isKeyed(ours.name) ? 'another key than the one here' : 'a key, and there is none here'
  return { kind: 'other-key', seq: 0, detail: `It was recorded with ${without}: its links cannot be checked.` }
}

/** Walks the events in order. Without a chain, only what is missing or no event at all is seen. */
function findBreak(
  { run, records }: RunRecords,
  chain: Chain | undefined,
  { checkpoints }: Witnesses,
): Problem | undefined {
  let link = chain?.start(run) ?? ''
  for (const [place, record] of records.entries()) {
    if (record.seq > place) return { kind: 'cut', seq: place, detail: `Event ${place} is missing.` }
    if (record.seq < place) return { kind: 'spliced', seq: place, detail: `Event ${record.seq} stands there twice.` }
    if (chain !== undefined) link = linkAfter(chain, link, record)
    if ((chain === undefined || record.link === link) && parseFact(record.fact) !== undefined) continue
    const confirmed = checkpoints.some(({ count }) => count > place)
    if (isTorn(record) && place === records.length - 1 && !confirmed) return torn(place)
    const detail = `Event ${place} is not what was recorded there, or something before it was taken out.`
    return { kind: 'edited', seq: place, detail }
  }
  return undefined
}

const linkAfter = (chain: Chain, before: string, { at, fact }: EventRecord): string =>
  chain.next(before, at ?? '', fact)

const torn = (seq: number): Problem => ({
  kind: 'torn',
  seq,
  detail: `Event ${seq}, the last one, is half written, as a crash or a failing disk leaves it; nothing relied on it yet.`,
})

/** Looks whether what stands at the wrong place is right somewhere else. */
async function findOrigin(
  { run, records }: RunRecords,
  { seq }: Problem,
  { chain, linksElsewhere }: Witnesses,
): Promise<Problem | undefined> {
  const record = records[seq]
  if (record === undefined) return undefined
  const own = [chain.start(run), ...records.map(({ link }) => link ?? '')]
  const known = new Set(own)
  if (own.some((before) => known.has(linkAfter(chain, before, record))))
    return { kind: 'spliced', seq, detail: `Event ${seq} was recorded at another place of this run.` }
  const others = await linksElsewhere()
  const all = new Set([...own, ...others])
  if (others.some((before) => all.has(linkAfter(chain, before, record))))
    return { kind: 'spliced', seq, detail: `Event ${seq} was recorded in another run.` }
  return undefined
}

function findCut({ records }: RunRecords, checkpoints: readonly Checkpoint[]): Problem | undefined {
  let agreed = 0
  for (const { count, head } of checkpoints) {
    if (count > records.length) {
      const detail = `It ends before event ${records.length}, but a checkpoint has seen ${count} events.`
      return { kind: 'cut', seq: records.length, detail }
    }
    if (records[count - 1]?.link !== head) {
      const detail = `Something between event ${agreed} and event ${count - 1} was changed and stamped again: a checkpoint differs.`
      return { kind: 'edited', seq: agreed, detail }
    }
    agreed = count
  }
  return undefined
}

function findRemovedChain({ chain }: RunRecords, { checkpoints }: Witnesses): Problem | undefined {
  if (chain !== undefined || checkpoints.length === 0) return undefined
  return { kind: 'edited', seq: 0, detail: 'It was chained when its checkpoints were written, and is not any more.' }
}

function findUnkeyed({ chain }: RunRecords, ours: Chain): Problem | undefined {
  if (chain === ours.name) return undefined
  const detail =
    'Its links agree, but they were made without the key, so whoever could write the journal could make them.'
  return { kind: 'unkeyed', seq: 0, detail }
}

function findNewer({ records }: RunRecords): Problem | undefined {
  const first = parseFact(records[0]?.fact)
  const version = first?.formatVersion
  if (typeof version !== 'number' || version <= FORMAT_VERSION) return undefined
  return {
    kind: 'version',
    seq: 0,
    detail: `It has format ${version}; this version of Tao reads up to ${FORMAT_VERSION}.`,
  }
}
