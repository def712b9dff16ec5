import type { WireMessage } from '../../src/core/request.ts'
import type { ScriptReply } from '../../src/model/script.ts'

export type Asked = { readonly messages: readonly WireMessage[] }

/**
 * Stands in for a model in example 04 when no key is set: thoughts, one action a reply, and an answer. It understands three
 * wishes and knows nothing by heart: amounts, codes and tariffs are those that the tools returned.
 */
export const english = (asked: Asked): ScriptReply => reply(asked, EN)
export const russian = (asked: Asked): ScriptReply => reply(asked, RU)

/** What the two of them say. */
interface Phrases {
  readonly thought: string
  readonly action: string
  readonly answer: string
  readonly observation: string
  /** Finds the amount, in digits and spaces or commas, and the day of the month. */
  readonly why: RegExp
  readonly block: RegExp
  readonly dispute: RegExp
  readonly look: string
  readonly lookAgain: string
  readonly ask: string
  readonly act: string
  readonly known: string
  readonly explain: (fee: Fee) => string
  readonly lost: (said: string) => string
  readonly done: (said: string) => string
}

interface Fee {
  readonly taken: number
  readonly code: string
  readonly payment: number
  readonly percent: number
  readonly minimum: number
  /** What the percentage comes to, as the tariff's tool calculated it. */
  readonly share: number
}

const EN: Phrases = {
  ...{ thought: 'Thought', action: 'Action', answer: 'Final Answer', observation: 'Observation' },
  why: /([\d ,]+) tenge .*?(\d{1,2}) October/i,
  block: /block (card:\d+)/i,
  dispute: /dispute about (transaction:\d+): (.+)/i,
  look: 'I look at what was taken that day.',
  lookAgain: 'The day must be written as YYYY-MM-DD.',
  ask: 'The code of it says why; I look up the tariff.',
  act: 'The client asks for this.',
  known: 'Now I know it.',
  explain: ({ taken, code, payment, percent, minimum, share }) =>
    `The ${taken} tenge are the fee ${code} for the card payment of ${payment} tenge in a foreign currency on the same day. ` +
    `The tariff is ${percent} % of the payment, at least ${minimum} tenge; ${percent} % are ${share} tenge, ` +
    `so the ${share < minimum ? 'minimum' : 'percentage'} was taken.`,
  lost: (said) => `I could not find that out. What I was told last: ${said}`,
  done: (said) => (said.startsWith('Not run') ? `I did not do that. ${said}` : `Done. ${said}`),
}

const RU: Phrases = {
  ...{ thought: 'Мысль', action: 'Действие', answer: 'Окончательный ответ', observation: 'Наблюдение' },
  why: /(\d{1,2}) октября.*?([\d ,]+) тенге/i,
  block: /заблокируй.*?(card:\d+)/i,
  dispute: /спор о (transaction:\d+): (.+)/i,
  look: 'Посмотрю, что списали в этот день.',
  lookAgain: 'Дату нужно писать как YYYY-MM-DD.',
  ask: 'Причину называет код операции; посмотрю тариф.',
  act: 'Об этом просит клиент.',
  known: 'Теперь это известно.',
  explain: ({ taken, code, payment, percent, minimum, share }) =>
    `${taken} тенге — это комиссия ${code} за оплату картой в иностранной валюте на ${payment} тенге в тот же день. ` +
    `Тариф: ${percent} % от суммы, но не менее ${minimum} тенге; ${percent} % — это ${share} тенге, ` +
    `поэтому взят ${share < minimum ? 'минимум' : 'процент'}.`,
  lost: (said) => `Выяснить это не удалось. Последнее, что я узнал: ${said}`,
  done: (said) => (said.startsWith('Not run') ? `Это не сделано. ${said}` : `Готово. ${said}`),
}

function reply({ messages }: Asked, words: Phrases): ScriptReply {
  const question = messages.find(({ role }) => role === 'user')?.text ?? ''
  const told = observationsIn(messages, words)
  const act = (why: string, name: string, given: object): ScriptReply => ({
    text: `${words.thought}: ${why}\n${words.action}: ${JSON.stringify({ name, arguments: given })}`,
  })
  const say = (answer: string): ScriptReply => ({
    text: `${words.thought}: ${words.known}\n${words.answer}: ${answer}`,
  })
  const [, card] = words.block.exec(question) ?? []
  const [, transaction, reason] = words.dispute.exec(question) ?? []
  const last = told.at(-1)
  if (last !== undefined && (card ?? transaction) !== undefined) return say(words.done(last))
  if (card !== undefined) return act(words.act, 'card_block', { card })
  if (transaction !== undefined) return act(words.act, 'dispute_open', { transaction, reason })
  return explainFee({ question, told, words, act, say })
}

interface Turn {
  readonly question: string
  readonly told: readonly string[]
  readonly words: Phrases
  readonly act: (why: string, name: string, given: object) => ScriptReply
  readonly say: (answer: string) => ScriptReply
}

/** The day is first written as people here write it. */
function explainFee({ question, told, words, act, say }: Turn): ScriptReply {
  const wish = readWish(question, words)
  if (wish === undefined) return say(words.lost(question))
  const last = told.at(-1)
  if (last === undefined)
    return act(words.look, 'txn_search', { from: `${wish.day}.10.2026`, to: `${wish.day}.10.2026` })
  if (last.includes('YYYY-MM-DD')) {
    const day = `2026-10-${wish.day}`
    return act(words.lookAgain, 'txn_search', { from: day, to: day })
  }
  const fee = findFee(told, wish.taken)
  if (fee === undefined) return say(words.lost(last))
  if (fee.tariff === undefined) return act(words.ask, 'tariff_lookup', { code: fee.code, amount: fee.payment })
  return say(words.explain({ ...fee, ...fee.tariff, taken: wish.taken }))
}

interface Wish {
  readonly taken: number
  /** Of October, in two digits. */
  readonly day: string
}

function readWish(question: string, { why }: Phrases): Wish | undefined {
  const numbers = (why.exec(question) ?? []).slice(1).map((text) => Number(text.replaceAll(/[ ,]/g, '')))
  const [day, taken] = numbers.toSorted((a, b) => a - b)
  return day === undefined || taken === undefined ? undefined : { taken, day: String(day).padStart(2, '0') }
}

interface Transaction {
  readonly amount: string
  readonly code: string
  readonly card?: string
}

/** The transaction that took so much, what it was taken for, and the tariff where that has been looked up. */
function findFee(told: readonly string[], taken: number) {
  const seen = told.flatMap((text) => {
    const found = read(text)
    return found === undefined ? [] : [found]
  })
  const transactions = seen.flatMap(({ transactions: each = [] }) => each)
  const fee = transactions.find(({ amount }) => Number.parseFloat(amount) === -taken)
  const payment = transactions.find((each) => each !== fee && each.card === fee?.card)
  if (fee === undefined || payment === undefined) return undefined
  const tariff = seen.find(({ code }) => code === fee.code)
  const { percent = 0, minimum = '', share = '' } = tariff ?? {}
  return {
    ...{ code: fee.code, payment: -Number.parseFloat(payment.amount) },
    tariff:
      tariff === undefined
        ? undefined
        : { percent, minimum: Number.parseFloat(minimum), share: Number.parseFloat(share) },
  }
}

interface Seen {
  readonly transactions?: readonly Transaction[]
  readonly code?: string
  readonly percent?: number
  readonly minimum?: string
  readonly share?: string
}

function read(text: string): Seen | undefined {
  try {
    return JSON.parse(text) as Seen
  } catch {
    return undefined
  }
}

const observationsIn = (messages: readonly WireMessage[], { observation }: Phrases): string[] =>
  messages.flatMap(({ role, text }) =>
    role === 'user' && text.startsWith(`${observation}: `) ? [text.slice(observation.length + 2)] : [],
  )
