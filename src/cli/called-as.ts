import { basename, dirname, relative } from 'node:path'
import type { Settings } from '../app/settings.ts'

/** How a person calls Tao here, for lines to copy: by the way this process was started, unless the environment says so. */
export function calledAs(
  { calledAs: told }: Settings,
  script = process.argv[1] ?? 'tao',
  folder = process.cwd(),
): string {
  if (told !== undefined) return told
  if (basename(script) === 'tao') return basename(dirname(script)) === '.bin' ? 'npx tao' : 'tao'
  if (script.endsWith('/src/cli/main.ts')) return 'npm run tao --'
  const path = relative(folder, script)
  return `node ${path.startsWith('..') ? script : path}`
}
