import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import { textsFile } from './manifest.ts'
import { readText } from './old-texts.ts'
import { closing, openInside } from './safe-file.ts'
import type { State } from './snapshot.ts'
import type { WorkingCopy } from './workspace-of.ts'

/** What a file held when the run started: as it was kept, else as the tree still has it. Throws a `TaoError` when it is lost. */
export function startContent({ record, base }: WorkingCopy, path: string, { content }: State): Buffer {
  const kept = base.texts.get(content)
  const found =
    kept === undefined || kept.size < 0 ? readSource(record.source, path) : readText(textsFile(record.copy), kept)
  if (found !== undefined && hash('sha256', found) === content) return found
  throw new TaoError(
    'workspace',
    `What ${path} held when the run started is lost: it was not kept, and ${record.source} has changed.`,
  )
}

function readSource(source: string, path: string): Buffer | undefined {
  try {
    return closing(openInside(source, path), (descriptor) => readFileSync(descriptor))
  } catch {
    return undefined // The tree does not have it any more.
  }
}
