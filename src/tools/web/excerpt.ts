/** A passage is a paragraph, or a part of a long one: at most so many characters, and no more than there is room for. */
const PASSAGE = 800

/**
 * The passages of a text that hold most of a goal's words, in their order, with a mark for what lies between. Rare words of the
 * text count for more. Where no word is found, the beginning.
 */
export function excerpt(text: string, goal: string, limit: number): string {
  if (text.length <= limit) return text
  const passages = passagesOf(text, Math.min(PASSAGE, limit - MARK.length))
  const scores = scorePassages(passages, wordsOf(goal))
  const best = [...passages.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const chosen = new Set<number>()
  let size = 0
  for (const index of best) {
    size += (passages[index]?.length ?? 0) + MARK.length
    if (size > limit) break
    chosen.add(index)
  }
  return joinInOrder(passages, chosen)
}

const MARK = '\n\n[…]\n\n'

function joinInOrder(passages: readonly string[], chosen: ReadonlySet<number>): string {
  let text = ''
  let last = -1
  for (const [index, passage] of passages.entries()) {
    if (!chosen.has(index)) continue
    text +=
      index === last + 1
        ? `${text === '' ? '' : '\n\n'}${passage}`
        : `${text === '' ? MARK.trimStart() : MARK}${passage}`
    last = index
  }
  return last === passages.length - 1 ? text : `${text}${MARK.trimEnd()}`
}

function passagesOf(text: string, longest: number): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => piecesOf(paragraph.trim(), longest))
    .filter((piece) => piece !== '')
}

function piecesOf(paragraph: string, longest: number): string[] {
  const pieces: string[] = []
  for (let rest = paragraph; rest !== ''; ) {
    const cut = rest.length <= longest ? rest.length : cutNear(rest, longest)
    pieces.push(rest.slice(0, cut).trim().toWellFormed())
    rest = rest.slice(cut).trimStart()
  }
  return pieces
}

/** Behind the last end of a sentence or of a line that fits, or of a word. */
function cutNear(text: string, longest: number): number {
  const start = text.slice(0, longest)
  const ends = ['. ', '\n', '。', '! ', '? '].map((end) => start.lastIndexOf(end) + 1)
  const best = Math.max(...ends)
  if (best > longest / 4) return best
  return start.lastIndexOf(' ') + 1 || longest
}

/** Words of three letters and more; of scripts without spaces, pairs of characters. */
function wordsOf(goal: string): string[] {
  const lower = goal.toLowerCase()
  const unspaced = [...lower.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu)].flatMap(([run]) =>
    Array.from(run, (_, i) => run.slice(i, i + 2)).filter((pair) => pair.length === 2),
  )
  const spaced = lower.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return [...new Set([...spaced, ...unspaced])]
}

function scorePassages(passages: readonly string[], words: readonly string[]): number[] {
  const scores = passages.map(() => 0)
  const lower = passages.map((passage) => passage.toLowerCase())
  for (const word of words) {
    const holding = lower.flatMap((passage, index) => (passage.includes(word) ? [index] : []))
    const weight = Math.log(1 + passages.length / (holding.length || 1))
    for (const index of holding) scores[index] = (scores[index] ?? 0) + weight
  }
  return scores
}
