import type { WrittenLimits } from './limit-flags.ts'

/** What every command has. */
export interface JsonFlag {
  readonly json?: boolean
}

export interface ApplyFlags extends JsonFlag {
  readonly unproved?: boolean
}

export interface CleanFlags extends JsonFlag {
  readonly all?: boolean
  readonly olderThan?: string
}

export interface RunFlags extends JsonFlag, WrittenLimits {
  readonly workspace?: string
  readonly protect?: readonly string[]
  readonly done?: readonly string[]
  readonly tools?: readonly string[]
  readonly model?: string
  readonly protocol?: string
  readonly sandbox?: string
  readonly baseUrl?: string
  readonly apply?: boolean
  readonly stream?: boolean
  readonly quiet?: boolean
}
