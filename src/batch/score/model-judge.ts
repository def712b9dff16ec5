import { canonicalJson } from '../../core/canonical.ts'
import { openDeadline, untilAborted } from '../../core/deadline.ts'
import { describeError } from '../../core/error.ts'
import type { Reply, RequestHead, WireMessage } from '../../core/request.ts'
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.ts'
import type { Model } from '../../model/model.ts'
import { digestOf } from '../item.ts'
import { type Judge, type Judged, type Judgement, rightAnswers } from './judge.ts'
import type { JudgeBudget } from './judge-budget.ts'
import type { JudgePrompt } from './judge-prompts.ts'
import type { JudgementLog } from './judgement-log.ts'

export interface ModelJudgeOptions {
  readonly prompt: JudgePrompt
  /** Asks again itself after trouble that may pass. */
  readonly model: Model
  readonly log: JudgementLog
  readonly budget: JudgeBudget
  readonly now: () => Date
  /** Milliseconds that one question may take, its retries included. Default: five minutes. */
  readonly timeLimit?: number
}

const HEAD: RequestHead = {
  tools: [],
  stop: [],
  temperature: 0,
  maxOutputTokens: 2_000,
  stream: false,
  thinking: false,
}
const FIVE_MINUTES = 300_000
/** How often a model is asked that replies with something else than a judgement. */
const ATTEMPTS = 3

/** A judge that asks a model. A call that gave a judgement stands in the log, and is answered from there the next time. */
export function modelJudge(options: ModelJudgeOptions): Judge {
  const { prompt, model, log, budget, timeLimit = FIVE_MINUTES } = options
  let used = NO_USAGE
  const count = (usage: Usage | undefined): void => {
    used = addUsage(used, usage ?? NO_USAGE)
    budget.use(usage)
  }
  return {
    name: prompt.name,
    model: model.name,
    get used() {
      return used
    },
    async judge(asked, signal) {
      const user = materialOf(asked)
      const key = digestOf(canonicalJson([model.name, prompt.system, user]))
      const kept = prompt.read(log.replyFor(key) ?? '')
      if (kept !== undefined) return kept
      using deadline = openDeadline(signal, timeLimit, 'The judge')
      try {
        return await untilAborted(askUntilRead(options, { key, user, count }, deadline.signal), deadline.signal)
      } catch (error) {
        signal.throwIfAborted()
        return { verdict: 'unjudged', why: `${model.name} could not be asked: ${describeError(error)}` }
      }
    },
  }
}

const materialOf = ({ question, answer, prediction }: Judged): string => {
  const [first, ...more] = rightAnswers(answer)
  return JSON.stringify({ question, right_answer: more.length === 0 ? first : [first, ...more], answer: prediction })
}

interface Asking {
  readonly key: string
  readonly user: string
  /** Told what each call used. */
  readonly count: (usage: Usage | undefined) => void
}

async function askUntilRead(
  { prompt, model, log, budget, now }: ModelJudgeOptions,
  { key, user, count }: Asking,
  signal: AbortSignal,
): Promise<Judgement | undefined> {
  let usage: Usage = NO_USAGE
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (budget.reached !== undefined) return undefined
    const reply = await ask(model, [prompt.system, user], signal)
    count(reply.usage)
    if (reply.usage !== undefined) usage = addUsage(usage, reply.usage)
    const judgement = prompt.read(reply.text)
    if (judgement === undefined) continue
    const { system, name } = prompt
    log.add({ key, at: now().toISOString(), judge: name, model: model.name, system, user, reply: reply.text })
    return { ...judgement, usage }
  }
  return { verdict: 'unjudged', why: `${model.name} gave no judgement that can be read, ${ATTEMPTS} times.`, usage }
}

async function ask(model: Model, [system, user]: readonly [string, string], signal: AbortSignal): Promise<Reply> {
  const messages: readonly WireMessage[] = [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ]
  const body = model.openBody(HEAD)
  for (const message of messages) body.append(message)
  return await model.ask({ step: 1, head: HEAD, messages, toolChoice: 'none', ...body.take('none') }, { signal })
}
