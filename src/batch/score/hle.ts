import { isCorrect, type Scored } from './score.ts'
import { mean, meanKnown, type Share, shareOf } from './shares.ts'
import { countsOf } from './statistics.ts'

/** The report of Humanity's Last Exam, in which turns and tools are counted from the records. Absent: of nothing, or not known. */
export interface HleReport {
  readonly evaluated: number
  /** Judged. */
  readonly valid: number
  readonly accuracy: Share
  /**
   * Root mean square difference of how sure answers are and how often they are right, in percent, over groups of a hundred in
   * the order of their confidence. Answers that do not say how sure they are count nowhere.
   */
  readonly calibrationError?: number
  /** The same in about ten groups, to look at. */
  readonly calibration: readonly CalibrationBin[]
  readonly answered: Share
  /** Rollouts. */
  readonly repeats: number
  readonly all: HleFigures
  readonly correct: HleFigures
  /** How many attempts had so many turns. */
  readonly turnDistribution: Readonly<Record<string, number>>
}

/** Means of one attempt. */
export interface HleFigures {
  readonly turns?: number
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** US dollars at two pairs of prices. */
  readonly dollars?: { readonly low: number; readonly high: number }
  readonly tools: Readonly<Record<string, number>>
}

export interface CalibrationBin {
  readonly of: number
  /** Means, from 0 to 1. */
  readonly confidence: number
  readonly accuracy: number
}

/** Answers in one bin of the error. */
const ERROR_BIN = 100
const TENTHS = 10

export function hleReport(scored: readonly Scored[]): HleReport {
  const valid = scored.filter(({ judgement, error }) => judgement.verdict !== 'unjudged' && error === undefined)
  const correct = scored.filter(isCorrect)
  const sure = sureOf(scored)
  const calibrationError = errorOf(binsOf(sure, ERROR_BIN))
  const turns = scored.map(({ figures }) => figures.turns).toSorted((a, b) => a - b)
  return {
    ...{ evaluated: scored.length, valid: valid.length, accuracy: shareOf(correct.length, scored.length) },
    ...(calibrationError === undefined ? {} : { calibrationError }),
    calibration: binsOf(sure, Math.ceil(sure.length / TENTHS)),
    answered: shareOf(scored.filter(({ figures }) => !figures.isInvalid).length, scored.length),
    repeats: new Set(scored.map(({ rollout }) => rollout)).size,
    all: figuresOf(scored),
    correct: figuresOf(correct),
    turnDistribution: countsOf(turns.map(String)),
  }
}

/** US dollars for a million tokens, in and out: two price pairs that reports of this exam have in common. */
const PRICES = { low: { input: 1.1, output: 4.4 }, high: { input: 3, output: 15 } } as const

function figuresOf(attempts: readonly Scored[]): HleFigures {
  const turns = mean(attempts.map(({ figures }) => figures.turns))
  const promptTokens = meanKnown(attempts.map(({ figures }) => figures.inputTokens))
  const completionTokens = meanKnown(attempts.map(({ figures }) => figures.outputTokens))
  const names = new Set(attempts.flatMap(({ figures }) => Object.keys(figures.tools)))
  const uses = (name: string): number => mean(attempts.map(({ figures }) => figures.tools[name] ?? 0)) ?? 0
  const dollars = ({ input, output }: { readonly input: number; readonly output: number }): number =>
    ((promptTokens ?? 0) * input + (completionTokens ?? 0) * output) / 1e6
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(promptTokens === undefined || completionTokens === undefined
      ? {}
      : { promptTokens, completionTokens, dollars: { low: dollars(PRICES.low), high: dollars(PRICES.high) } }),
    tools: Object.fromEntries([...names].sort().map((name) => [name, uses(name)])),
  }
}

/** Answers that say how sure they are, the least sure first. */
function sureOf(scored: readonly Scored[]): Sure[] {
  const sure = scored.flatMap((each): Sure[] => {
    const { confidence } = each.judgement
    return confidence === undefined ? [] : [{ confidence: confidence / 100, isRight: isCorrect(each) }]
  })
  return sure.toSorted((a, b) => a.confidence - b.confidence)
}

interface Sure {
  readonly confidence: number
  readonly isRight: boolean
}

/** So many neighbours in each bin; what is left joins the last one. */
function binsOf(sure: readonly Sure[], size: number): CalibrationBin[] {
  const bins = sure.length === 0 ? 0 : Math.max(1, Math.floor(sure.length / size))
  return Array.from({ length: bins }, (_, bin) => {
    const inside = sure.slice(bin * size, bin === bins - 1 ? sure.length : (bin + 1) * size)
    return {
      of: inside.length,
      confidence: mean(inside.map(({ confidence }) => confidence)) ?? 0,
      accuracy: inside.filter(({ isRight }) => isRight).length / inside.length,
    }
  })
}

function errorOf(bins: readonly CalibrationBin[]): number | undefined {
  const all = bins.reduce((total, { of }) => total + of, 0)
  if (all === 0) return undefined
  const squares = bins.map(({ of, confidence, accuracy }) => (of / all) * (confidence - accuracy) ** 2)
  return 100 * Math.sqrt(squares.reduce((total, square) => total + square, 0))
}
