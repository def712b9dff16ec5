import { deepseekV3, deepseekV31 } from './deepseek.ts'
import type { Dialect } from './dialect.ts'
import { deepseekV4, deepseekV32 } from './dsml.ts'
import { foreign } from './foreign.ts'
import { functionGemma, gemma } from './gemma.ts'
import { glm } from './glm.ts'
import { harmony } from './harmony.ts'
import { hermes, lmStudio } from './hermes.ts'
import { kimi } from './kimi.ts'
import { llamaJson } from './llama-json.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { lfm2, pythonic } from './pythonic.ts'
import { qwenCoder } from './qwen-coder.ts'

/** In the order in which they are tried; those that share a mark with another come where they cannot be mistaken for it. */
export const DIALECTS: readonly Dialect[] = [
  qwenCoder,
  glm,
  hermes,
  minimax,
  deepseekV32,
  deepseekV4,
  deepseekV3,
  deepseekV31,
  kimi,
  harmony,
  mistral,
  gemma,
  functionGemma,
  lfm2,
  lmStudio,
  pythonic,
  llamaJson,
  foreign,
]
