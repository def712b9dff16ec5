import { bash } from './bash.ts'
import { editFile } from './edit-file.ts'
import { listFiles } from './list-files.ts'
import type { Place } from './place.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import type { Tool } from './tool.ts'
import { writeFile } from './write-file.ts'

/** The tools that come with Tao, by the name a task gives them. */
export const BUILTIN_TOOLS: ReadonlyMap<string, (place: Place) => Tool> = new Map([
  ['read_file', readFile],
  ['list_files', listFiles],
  ['search_files', searchFiles],
  ['edit', editFile],
  ['write_file', writeFile],
  ['bash', bash],
])
