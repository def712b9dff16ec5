import { dialectContract } from './dialect.contract.ts'
import { FIXTURES } from './dialect-fixtures.contract.ts'

for (const fixture of FIXTURES) dialectContract(fixture)
