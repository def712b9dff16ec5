import { openTask } from '../app/open-task.ts'
import { expectLanguage, expectProtocol } from '../app/protocols.ts'
import { expectBackend } from '../app/sandbox-choice.ts'
import { readSettings } from '../app/settings.ts'
import { type Overrides, readPreset, readTaskRequest } from '../app/task-request.ts'
import type { RunFlags } from './flags.ts'
import { followRun } from './follow-run.ts'
import { wordsAndRights } from './rights.ts'
import { limitsIn } from './written-limits.ts'

/** Does a task, from its words to its end. The exit code says how the run ended. */
export async function runCommand(words: string, flags: RunFlags): Promise<void> {
  const settings = readSettings()
  const overrides = { ...overridesOf(flags), ...(await wordsAndRights(flags)) }
  const request =
    flags.preset === undefined
      ? await readTaskRequest(words, overrides)
      : (await readPreset(flags.preset, overrides)).about(words)
  if (flags.explain === true)
    return (await import('./explain.ts')).explain(request, { settings, json: flags.json === true })
  await followRun((listeners) => openTask(request, settings, listeners), { flags, settings })
}

function overridesOf(flags: RunFlags): Overrides {
  const { model, protocol, language, sandbox, baseUrl, workspace, corpus, protect, tools, stream } = flags
  return {
    folder: process.cwd(),
    ...(model === undefined ? {} : { model }),
    ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
    ...(language === undefined ? {} : { language: expectLanguage(language) }),
    ...(sandbox === undefined ? {} : { backend: expectBackend(sandbox) }),
    ...(corpus === undefined ? {} : { corpus }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(protect === undefined ? {} : { protect }),
    ...(tools === undefined ? {} : { tools }),
    ...(stream === undefined ? {} : { stream }),
    limits: limitsIn(flags),
    done: (flags.done ?? []).map((command) => ({ command })),
  }
}
