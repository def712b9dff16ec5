import type { WrittenLimits } from './limit-flags.ts'
import type { MaxFlags } from './max-limits.ts'

/** What every command has. */
export interface JsonFlag {
  readonly json?: boolean
}

export interface ShowFlags extends JsonFlag {
  readonly why?: boolean
}

export interface ReplayFlags extends JsonFlag {
  readonly task?: string
  readonly liveTools?: boolean
  readonly liveModel?: boolean
}

export interface ApplyFlags extends JsonFlag {
  readonly unproved?: boolean
}

export interface CleanFlags extends JsonFlag {
  readonly all?: boolean
  readonly olderThan?: string
}

export interface ToolsFlags extends JsonFlag {
  readonly protocol?: string
  readonly language?: string
  readonly prompt?: boolean
}

export interface RunsFlags extends JsonFlag {
  readonly prune?: boolean
  readonly olderThan?: string
  readonly largerThan?: string
  readonly status?: readonly string[]
  readonly yes?: boolean
}

/** What every command has that follows a run. */
export interface FollowFlags extends JsonFlag {
  readonly quiet?: boolean
  readonly apply?: boolean
}

export interface AnswerFlags extends FollowFlags {
  /** False: the answer is recorded, and the run does not go on. */
  readonly resume?: boolean
}

export interface ApproveFlags extends AnswerFlags {
  readonly edit?: string
}

export interface DenyFlags extends AnswerFlags {
  readonly reason?: string
}

export interface ResumeFlags extends FollowFlags, WrittenLimits {
  readonly say?: string
  readonly model?: string
  readonly protocol?: string
  readonly policy?: string
}

export interface FixtureFlags extends JsonFlag {
  readonly out?: string
}

export interface ForkFlags extends ResumeFlags {
  readonly at: string
}

export interface RunFlags extends FollowFlags, WrittenLimits {
  readonly workspace?: string
  readonly corpus?: string
  readonly protect?: readonly string[]
  readonly done?: readonly string[]
  readonly tools?: readonly string[]
  readonly model?: string
  readonly protocol?: string
  readonly language?: string
  readonly sandbox?: string
  readonly baseUrl?: string
  readonly client?: string
  readonly bind?: readonly string[]
  readonly policy?: string
  readonly attach?: readonly string[]
  readonly preset?: string
  readonly explain?: boolean
  readonly stream?: boolean
}

export interface BatchFlags extends JsonFlag, WrittenLimits, MaxFlags {
  readonly task: string
  readonly out: string
  readonly model?: string
  readonly baseUrl?: readonly string[]
  readonly tools?: readonly string[]
  readonly corpus?: string
  readonly protocol?: string
  readonly compat?: string
  readonly rollouts: string
  readonly concurrency: string
  readonly shard?: string
  readonly limit?: string
  readonly files?: string
  readonly resume?: boolean
  readonly retryFailed?: boolean
  readonly quiet?: boolean
}

export interface ScoreFlags extends JsonFlag, MaxFlags {
  readonly judge: string
  readonly judgeModel?: string
  readonly judgePrice?: string
  readonly baseUrl?: string
  readonly by?: string
  readonly compat?: string
  readonly out?: string
  readonly concurrency: string
}
