import { contractLines } from '../app/contract.ts'
import { previewRun } from '../app/preview.ts'
import { openMasker } from '../app/secrets.ts'
import type { Settings } from '../app/settings.ts'
import type { TaskRequest } from '../app/task-request.ts'
import { jsonLine, printable } from './printable.ts'

/** Prints the contract of a task. Nothing is started, copied or asked. Rejects with a `TaoError` for a task that cannot work. */
export async function explain(
  request: TaskRequest,
  { settings, json }: { settings: Settings; json: boolean },
): Promise<void> {
  const masker = openMasker(settings, { variables: request.secrets ?? [] })
  const contract = contractLines(request, await previewRun(request, settings))
  const lines = masker?.mask(contract) ?? contract
  process.stdout.write(
    json ? `${jsonLine({ contract: lines })}\n` : lines.map((line) => `${printable(line)}\n`).join(''),
  )
}
