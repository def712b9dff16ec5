import { examine, type Finding } from '../app/doctor.ts'
import { readSettings } from '../app/settings.ts'
import type { JsonFlag } from './flags.ts'
import { type Paint, paintFor } from './paint.ts'
import { jsonLine, printable } from './printable.ts'
import { mark } from './timeline.ts'

/** Says of each thing that Tao needs whether it is there, and how to mend it. Exit code 1 when something is not. */
export async function doctorCommand({ json }: JsonFlag): Promise<void> {
  const findings = await examine(readSettings())
  const paint = paintFor(process.stdout)
  const lines = json ? findings.map(jsonLine) : findings.flatMap((finding) => readable(finding, paint))
  process.stdout.write(`${lines.join('\n')}\n`)
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1
}

function readable({ what, ok, detail, fix }: Finding, paint: Paint): string[] {
  const said = `${mark(ok, paint)} ${what}: ${printable(detail)}`
  return fix === undefined ? [said] : [said, `    to mend it: ${printable(fix).replaceAll('\n', '\n    ')}`]
}
