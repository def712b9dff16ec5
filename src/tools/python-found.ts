import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What Python a sandbox has. It sees the host's programs, so nothing has to be run to know. */
export interface PythonFound {
  readonly version: string
  /** What can be imported beside Python's own, by the names under which it is installed. */
  readonly packages: readonly string[]
}

/** Where programs are looked for in the sandbox. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']

/** Undefined where there is no Python 3. */
export function findPython(folders: readonly string[] = FOLDERS): PythonFound | undefined {
  const program = folders.map((folder) => join(folder, 'python3')).find((path) => existsSync(path))
  if (program === undefined) return undefined
  const real = realpathSync(program)
  const version = /^python(3\.\d+)/.exec(basename(real))?.[1] ?? '3'
  const names = packageFolders(dirname(dirname(real)), version).flatMap(packagesIn)
  return { version, packages: [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en')) }
}

/** Debian has folders of its own, and one below /usr/local for what was added by hand. */
const packageFolders = (prefix: string, version: string): string[] => [
  join(prefix, `lib/python${version}/site-packages`),
  join(prefix, `local/lib/python${version}/dist-packages`),
  join(prefix, 'lib/python3/dist-packages'),
]

/** What installs others is nothing that a program would import. */
const NOT_FOR_PROGRAMS = new Set(['pip', 'setuptools', 'wheel'])

/** A package is installed together with a folder or file that tells its name and version: `numpy-2.1.0.dist-info`. */
function packagesIn(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder) : []
  return entries.flatMap((entry) => {
    const name = /^(.+?)(?:-.*)?\.(?:dist-info|egg-info)$/.exec(entry)?.[1]?.replaceAll('_', '-')
    return name === undefined || NOT_FOR_PROGRAMS.has(name) ? [] : [name]
  })
}
