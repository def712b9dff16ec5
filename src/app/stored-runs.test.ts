import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteJournal } from '../journal/sqlite.ts'
import { homeAt } from './home.ts'
import { readSettings } from './settings.ts'
import { loadRun } from './stored-runs.ts'

test('a state directory without runs says so, with a journal in it and without one', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tao-runs-'))
  const settings = readSettings({ TAO_HOME: home })
  try {
    await assert.rejects(loadRun(settings, 'latest'), /There are no runs in .* yet\./)
    await openSqliteJournal(homeAt(home).journal).close()
    await assert.rejects(loadRun(settings, 'latest'), /There are no runs in .* yet\./)
  } finally {
    await rm(home, { recursive: true })
  }
})
