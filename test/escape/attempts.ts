import type { Attempts } from './attempt.ts'
import { CHANGE_THE_TREE } from './change-the-tree.ts'
import { FOOL_THE_HARNESS } from './fool-the-harness.ts'
import { MORE_RIGHTS } from './more-rights.ts'
import { OUTLIVE } from './outlive.ts'
import { REACH_OTHERS } from './reach-others.ts'
import { SEE_THE_HOST } from './see-the-host.ts'
import { USE_IT_UP } from './use-it-up.ts'

/** The escape list, by number. */
export const ATTEMPTS: Attempts = [
  ...[SEE_THE_HOST, REACH_OTHERS, MORE_RIGHTS, CHANGE_THE_TREE, USE_IT_UP, OUTLIVE, FOOL_THE_HARNESS].flat(),
].sort((a, b) => a.number - b.number)
