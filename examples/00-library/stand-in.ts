import { type ScriptReply, scripted, type WireMessage } from '../../src/index.ts'

/** Takes the place of a model where there is no key, and says so. What it answers depends on what the tool returned. */
export function standIn() {
  console.log('No real model: DEEPSEEK_API_KEY is not set, so the replies come from stand-in.ts.')
  return scripted(({ messages }) => reply(messages), { name: 'scripted/stand-in.ts' })
}

function reply(messages: readonly WireMessage[]): ScriptReply {
  const question = messages.find(({ role }) => role === 'user')?.text ?? ''
  const guests = Number(question.match(/\d+/)?.[0])
  const observation = messages.findLast(({ role }) => role === 'tool')
  if (observation === undefined)
    return { text: 'I look how many there are.', calls: [{ name: 'stock', arguments: { article: 'cup' } }] }
  const cups = Number(observation.text)
  if (Number.isNaN(cups) || Number.isNaN(guests)) return { text: `I cannot tell: ${observation.text}` }
  return { text: cups < guests ? `No: ${cups} cups for ${guests} guests.` : `Yes: there are ${cups}.` }
}
