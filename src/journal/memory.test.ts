import { journalContract } from './journal.contract.ts'
import { memoryJournal } from './memory.ts'

journalContract('memory journal', async () => memoryJournal())
