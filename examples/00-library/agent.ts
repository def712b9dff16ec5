import { z } from 'zod'
import { run, tool } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import { standIn } from './stand-in.ts'

const stock = tool({
  name: 'stock',
  description: 'Says how many pieces of an article are left.',
  input: z.object({ article: z.enum(['cup', 'plate']) }),
  effects: 'read',
  run: ({ article }) => ({ cup: 4, plate: 12 })[article],
})

const model = process.env.DEEPSEEK_API_KEY ? 'deepseek/deepseek-chat' : standIn()
const { status, answer } = await run('Are there enough cups for 6 guests?', { model, tools: [stock] })
console.log(`${status}: ${answer}`)
