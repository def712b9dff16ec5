import { readFileSync, writeFileSync } from 'node:fs'
import { Problem } from './problem.ts'
import type { Answer, Request } from './request.ts'

/**
 * The program that touches files, run inside the sandbox: one request as JSON on standard input, one answer as JSON on
 * standard output. Only what the request needs is loaded. A bug ends it with a stack trace on standard error.
 */
const ROOT = process.cwd()

async function perform(request: Request): Promise<unknown> {
  switch (request.operation) {
    case 'read':
      return (await import('./read.ts')).read(ROOT, request)
    case 'list':
      return (await import('./list.ts')).list(ROOT, request)
    case 'search':
      return (await import('./search.ts')).search(ROOT, request)
    case 'edit':
      return (await import('./edit.ts')).edit(ROOT, request)
    case 'write':
      return (await import('./write.ts')).write(ROOT, request)
  }
}

async function answer(request: Request): Promise<Answer<unknown>> {
  try {
    return { ok: true, value: await perform(request) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message }
    throw error
  }
}

writeFileSync(1, JSON.stringify(await answer(JSON.parse(readFileSync(0, 'utf8')) as Request)))
