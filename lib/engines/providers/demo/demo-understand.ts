import type { ToolSpec } from '@/lib/protocol/tool'
import { withRequired } from './demo-arguments'
import { quoteMark, splitPrompt } from './demo-parts'
import { type Args, sentences } from './demo-sentences'

/** A call that a prompt requests. `filled`: arguments that the prompt does not give, from the tool's example or schema. */
type RequestedCall = { name: string; argumentsText: string; filled: readonly string[] }

/** Calls that a prompt requests. `unknown`: the parts of the prompt that request no tool, as written. */
export type Understood = { calls: RequestedCall[]; unknown: string[] }

/** Longer prompts are not read. */
const longestRead = 20_000
/** Longer prompts are read only if each part of them names a tool. */
const longestWithSentences = 2_000
/** Longer parts, not counting what is in quotation marks, are compared with no sentence. */
const longestSentence = 400

/** Returns the calls that a prompt requests, as `Use NAME {json}` or in a known sentence, one after the other. */
export function understand(
  prompt: string,
  tools: readonly ToolSpec[],
  proposal: string | null = null,
): Understood {
  const understood: Understood = { calls: [], unknown: [] }
  if (prompt.length > longestRead) return understood
  const offered = new Map(tools.map((tool) => [tool.name, tool]))
  const { parts, textOf, writtenOf } = splitPrompt(prompt, proposal)
  let before: Args = {}
  for (const part of parts) {
    const named = namedCall(part, writtenOf, offered)
    if (!named && prompt.length > longestWithSentences) return { calls: [], unknown: [] }
    const said = named ? null : saidCall(part, textOf, before, offered)
    if (said) before = said.args
    const call = named ?? said?.call
    if (call) understood.calls.push(call)
    else if (proposal !== null || !aboutProposal.test(part))
      understood.unknown.push(writtenOf(part))
  }
  return understood
}

/** Matches a part about the proposal of a coordination. Its proposer, who has none yet, leaves such parts out. */
const aboutProposal = /^(?:check|verify|does|is)\b.*\bthe proposal\b/i

type Read = (text: string) => string
type Offered = ReadonlyMap<string, ToolSpec>

const toolCall = new RegExp(
  `^(?:use|call)(?: the(?: tool)?)? ([a-z][\\w-]*)(?:(?: with)? (${quoteMark}))?(?: and show .*)?$`,
  'i',
)

/** Returns the call of `Use NAME {json}`; without JSON, its arguments come from the tool's example or schema. */
function namedCall(part: string, writtenOf: Read, offered: Offered): RequestedCall | null {
  const [, name, mask] = toolCall.exec(part) ?? []
  if (name === undefined) return null
  if (mask === undefined) {
    // "Use English" names no tool; a tool that is not offered has more than one word in its name.
    const isTool = offered.has(name) || /[_-]/.test(name)
    return isTool ? completed(name, {}, offered) : null
  }
  const written = writtenOf(mask)
  return written.startsWith('{') ? { name, argumentsText: written, filled: [] } : null
}

/** Returns the call that a sentence of the table requests. `before`: arguments of an earlier one, whose file is still meant. */
function saidCall(part: string, textOf: Read, before: Args, offered: Offered) {
  if (part.length > longestSentence) return null
  // Patterns with several gaps take long for a run of white space.
  const line = part.replace(/\s+/g, ' ')
  for (const { tool, says, args: read } of sentences) {
    const found = says.exec(line)
    if (!found) continue
    const given = Object.entries(found.groups ?? {}).filter(([, text]) => text !== undefined)
    const slots = Object.fromEntries(given.map(([name, text]) => [name, textOf(text)]))
    const args = read ? read(slots) : slots
    return { call: completed(tool, args, offered, before), args }
  }
  return null
}

function completed(name: string, args: Args, offered: Offered, before: Args = {}): RequestedCall {
  const tool = offered.get(name)
  const whole = tool ? withRequired(args, tool, before) : { args, filled: [] }
  return { name, argumentsText: JSON.stringify(whole.args), filled: whole.filled }
}
