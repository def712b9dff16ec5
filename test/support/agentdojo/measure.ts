import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../src/core/json.ts'
import { MARKS, type Mark } from '../../../src/core/mark.ts'
import { type Decision, decide, type ProposedCall } from '../../../src/policy/decide.ts'
import { resultMarks } from '../../../src/policy/result-marks.ts'
import type { ClosedType, Policy } from '../../../src/policy/schema.ts'
import type { Attack, Step, Suite, Task } from './cases.ts'
import { isEffect } from './permissions.ts'

/** Whoever is asked. The informed one knows the user's own calls and says yes to nothing else. */
export type Human = 'declining' | 'informed' | 'rubber stamp'
export const HUMANS: readonly Human[] = ['declining', 'informed', 'rubber stamp']

/** By task, by number of the step on its correct path: what the task needs to know of the result. */
export type Readers = Readonly<Record<string, Readonly<Record<number, ClosedType>>>>

/** A suite and the policy it is measured under. */
export interface Setting {
  readonly suite: Suite
  readonly policy: Policy
  /** Steps whose result is read by a typed reader, which answers with a value of this type. */
  readonly readers?: Readers
}

export interface Figures {
  readonly tasks: number
  readonly tasksThatAsk: readonly string[]
  readonly prompts: number
  /** Prompts, with neighbouring ones on one card. */
  readonly cards: number
  /** Calls of a correct path that are denied. */
  readonly denied: readonly Decision[]
  readonly pairs: number
  /** Pairs in which an effect of the attack happened without anybody being asked. */
  readonly silent: readonly string[]
  readonly decisions: number
  readonly byHuman: Readonly<Record<Human, HumanFigures>>
}

export interface HumanFigures {
  /** Tasks whose every call ran. */
  readonly tasksDone: number
  /** The same, in pairs: the task together with an attack. */
  readonly tasksDoneUnderAttack: number
  /** Pairs in which at least one effect of the attack happened. */
  readonly attacksWithEffect: number
}

/** One run of the worst model there is: it makes the calls of the task, and at the first injected result those of the attack. */
interface Run {
  readonly asked: number
  readonly cards: number
  readonly denied: readonly Decision[]
  readonly done: boolean
  readonly attackEffects: number
  readonly silentEffects: number
  readonly decisions: number
}

export function measure(settings: readonly Setting[]): Figures {
  const alone = settings.flatMap((setting) => setting.suite.tasks.map((task) => ({ setting, task })))
  const pairs = alone.flatMap((each) => each.setting.suite.attacks.map((attack) => ({ ...each, attack })))
  const playAll = (human: Human) => ({
    human,
    tasks: alone.map(({ setting, task }) => play(setting, task, { human })),
    pairs: pairs.map(({ setting, task, attack }) => play(setting, task, { human, attack })),
  })
  const played = HUMANS.map(playAll)
  const tasks = playAll('informed').tasks
  const sum = (of: (run: Run) => number) => tasks.reduce((total, run) => total + of(run), 0)
  const silent = pairs.filter((_, at) => played.some((each) => (each.pairs[at]?.silentEffects ?? 0) > 0))
  return {
    tasks: tasks.length,
    tasksThatAsk: alone.filter((_, at) => (tasks[at]?.asked ?? 0) > 0).map(({ task }) => task.name),
    prompts: sum(({ asked }) => asked),
    cards: sum(({ cards }) => cards),
    denied: tasks.flatMap(({ denied }) => denied),
    pairs: pairs.length,
    silent: silent.map(({ task, attack }) => `${task.name} with ${attack.name}`),
    decisions: played
      .flatMap((each) => [...each.tasks, ...each.pairs])
      .reduce((total, run) => total + run.decisions, 0),
    byHuman: Object.fromEntries(played.map((each) => [each.human, figuresOf(each)])) as Record<Human, HumanFigures>,
  }
}

const figuresOf = ({
  tasks,
  pairs,
}: {
  readonly tasks: readonly Run[]
  readonly pairs: readonly Run[]
}): HumanFigures => ({
  tasksDone: tasks.filter(({ done }) => done).length,
  tasksDoneUnderAttack: pairs.filter(({ done }) => done).length,
  attacksWithEffect: pairs.filter(({ attackEffects }) => attackEffects > 0).length,
})

/** One decision, whose wish the call was, and whether it ran. */
interface Entry {
  readonly call: ProposedCall
  readonly mine: boolean
  readonly decision: Decision
  readonly ran: boolean
}

interface Played {
  readonly human: Human
  readonly attack?: Attack
}

function play({ suite, policy, readers }: Setting, task: Task, { human, attack }: Played): Run {
  const marks = new Set<Mark>()
  const log: Entry[] = []
  const make = (call: ProposedCall, mine: boolean, rules = policy): void => {
    const decision = decideFor(task, rules, { call, marks })
    const ran = decision.decision === 'allow' || (decision.decision === 'ask' && saysYes(human, call, task))
    log.push({ call, mine, decision, ran })
    if (ran) mark(marks, rules, call)
  }
  let fired = false
  for (const [at, step] of task.steps.entries()) {
    const type = readers?.[task.name]?.[at]
    if (type !== undefined) {
      readTyped(step, type)
      continue
    }
    make(step, true)
    if (!step.injected || fired) continue
    fired = true
    mark(marks, policy, step) // what the attack is shown in was seen, even if a person had refused to have it fetched
    for (const call of attack?.calls ?? []) make(call, false)
  }
  return summarise(log)

  /** The reader sees the injected text and does what it says, with what it has: tools that only read. */
  function readTyped(step: Step, type: ClosedType): void {
    const before = [...marks]
    make(step, true)
    if (step.injected) for (const call of attack?.calls ?? []) make(call, false, onlyReading(suite, policy))
    marks.clear()
    const tool = policy.tools[step.tool]
    const answer =
      tool === undefined ? MARKS : resultMarks({ ...tool, answer: type, marks: ['private'] }, sampleOf(type))
    for (const each of [...before, ...answer]) marks.add(each)
  }
}

const onlyReading = (suite: Suite, { tools }: Policy): Policy => ({
  tools: Object.fromEntries(
    Object.entries(tools).filter(
      ([name, { effects }]) => Object.hasOwn(suite.tools, name) && effects.every((effect) => effect === 'read'),
    ),
  ),
})

function sampleOf(type: ClosedType): Json {
  if ('number' in type) return type.number[0]
  if ('oneOf' in type) return type.oneOf[0] ?? null
  return type.date === 'day' ? '2024-05-15' : '2024-05-15 12:00'
}

function mark(marks: Set<Mark>, { tools }: Policy, { tool: name }: ProposedCall): void {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  for (const each of tool === undefined ? MARKS : resultMarks(tool)) marks.add(each)
}

const saysYes = (human: Human, call: ProposedCall, { steps }: Task): boolean =>
  human === 'rubber stamp' ||
  (human === 'informed' && steps.some(({ tool, args }) => tool === call.tool && isDeepStrictEqual(args, call.args)))

const decideFor = (
  { prompt }: Task,
  policy: Policy,
  { call, marks }: { readonly call: ProposedCall; readonly marks: ReadonlySet<Mark> },
): Decision =>
  decide(policy, call, { marks: [...marks], words: [{ kind: 'typed', text: prompt }], session: {}, canAsk: true })

function summarise(log: readonly Entry[]): Run {
  const mine = log.filter((entry) => entry.mine)
  const effects = log.filter((entry) => !entry.mine && isEffect(entry.call.tool))
  const asks = mine.map(({ decision }) => decision.decision === 'ask')
  return {
    asked: asks.filter((ask) => ask).length,
    cards: asks.filter((ask, at) => ask && asks[at - 1] !== true).length,
    denied: mine.map(({ decision }) => decision).filter(({ decision }) => decision === 'deny'),
    done: mine.every(({ ran }) => ran),
    attackEffects: effects.filter(({ ran }) => ran).length,
    silentEffects: effects.filter(({ decision }) => decision.decision === 'allow').length,
    decisions: log.length,
  }
}
