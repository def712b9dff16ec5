// `npm run -s tao -- …`: the command `tao` from the sources of this clone, in the folder npm was called from.
import { runTao, setup } from './setup.mjs'

setup()
process.exitCode = await runTao(process.argv.slice(2))
