/** The sections of a reply in Thought/Action/Observation. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/** How models write the labels, in English, Russian and Chinese; longer ones first, since one may begin another. */
const WORDS: Readonly<Record<Label, readonly string[]>> = {
  input: ['Action Input', 'Action_Input', 'Ввод действия', 'Параметры', '行动输入', '动作输入'],
  answer: ['Final Answer', 'FinalAnswer', 'Окончательный ответ', 'Итоговый ответ', '最终答案', '最终回答'],
  observation: ['Observation', 'Наблюдение', '观察结果', '观察'],
  thought: ['Thought', 'Мысль', '思考'],
  action: ['Action', 'Действие', '行动', '动作'],
}

const LABELS = Object.keys(WORDS) as Label[]

/** One label at the beginning of a line, perhaps in bold or numbered, and its colon. */
const LABEL = new RegExp(
  `^[ \\t]*(?:\\*\\*)?(${LABELS.flatMap((label) => WORDS[label]).join('|')})(?:[ \\t]*\\d+)?[ \\t]*(?:\\*\\*)?[ \\t]*[:：](?:\\*\\*)?`,
  'gim',
)

/** A numbered observation gives itself away in the middle of a line too. */
const INLINE_OBSERVATION = new RegExp(`(?<=\\S)[ \\t]+(?:${WORDS.observation.join('|')})[ \\t]*\\d+[ \\t]*[:：]`, 'i')

export interface Section {
  readonly label: Label
  readonly text: string
  /** Where the label begins and where the section ends in the reply. */
  readonly start: number
  readonly end: number
}

/** The labelled sections of a reply in their order. Labels in fenced code are examples, not sections. */
export function sectionsOf(reply: string): Section[] {
  const fences = [...reply.matchAll(/^[ \t]*```[\s\S]*?(?:^[ \t]*```[ \t]*\r?$|(?![\s\S]))/gm)]
  const isFenced = (at: number) => fences.some(({ index, 0: fence }) => at > index && at < index + fence.length)
  const found = [...reply.matchAll(LABEL)].filter(({ index }) => !isFenced(index))
  return found.map((match, i) => {
    const end = found[i + 1]?.index ?? reply.length
    const text = reply.slice(match.index + match[0].length, end).trim()
    return { label: labelOf(match[1] ?? ''), text, start: match.index, end }
  })
}

/** The reply without what the model wrote as if it had been observed, and without a leaked beginning of the stop word. */
export function withoutInvented(reply: string): string {
  const observed = sectionsOf(reply).find(({ label }) => label === 'observation')?.start
  const inline = INLINE_OBSERVATION.exec(reply)?.index
  const cut = Math.min(observed ?? reply.length, inline ?? reply.length)
  return withoutLeakedStop(reply.slice(0, cut)).trimEnd()
}

function withoutLeakedStop(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1)
  const isLeak = lastLine.length >= 3 && WORDS.observation.some((word) => word.startsWith(lastLine))
  return isLeak && text.includes('\n') ? text.slice(0, -lastLine.length) : text
}

const labelOf = (word: string): Label =>
  LABELS.find((label) => WORDS[label].some((each) => each.toLowerCase() === word.toLowerCase())) ?? 'thought'
