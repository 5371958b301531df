import type { ToolSpec } from '@/lib/protocol/tool'
import { argumentsOf, withRequired } from './demo-arguments'
import { intents, isAboutProposal } from './demo-intents'
import { type Args, type Before, isWord, type Step, stepOf, stepsOf, textFrom } from './demo-step'
import type { Token } from './demo-tokens'

/**
 * A call that plain words ask for. `filled`: the arguments that they did not give, which come from the tool's example or schema.
 */
type AskedCall = { name: string; argumentsText: string; filled: readonly string[] }

/** Calls that a prompt asks for. `unknown`: the parts of the prompt that ask for no tool, as written. */
export type Understood = { calls: AskedCall[]; unknown: string[] }

/** Longer prompts are not read for plain words. */
const longestRead = 2_000
/** Maximum number of "and" in one sentence that may separate two requests; later ones belong to a text. */
const mostTries = 20

const toolIntents = new Map(intents.map((intent) => [intent.tool, intent]))

/** Returns the calls that a prompt asks for in plain words, one after the other. */
export function understand(
  prompt: string,
  tools: readonly ToolSpec[],
  proposal: string | null = null,
): Understood {
  const understood: Understood = { calls: [], unknown: [] }
  if (prompt.length > longestRead) return understood
  const offered = new Map(tools.map((tool) => [tool.name, tool]))
  let before: Before = { proposal }
  for (const sentence of stepsOf(prompt)) {
    for (const step of withoutAnd(sentence, before, offered)) {
      const call = askedBy(step, before, offered)
      if (call) understood.calls.push(completed(call, offered))
      else if (proposal !== null || !isAboutProposal(step))
        understood.unknown.push(textFrom(step, 0))
      before = { ...before, ...aboutOf(call) }
    }
  }
  return understood
}

/** Returns a call with the arguments that its tool needs besides. */
function completed({ name, args, written }: Asked, offered: Offered): AskedCall {
  const tool = offered.get(name)
  if (written !== undefined) return { name, argumentsText: written, filled: [] }
  const whole = tool ? withRequired(args, tool) : { args, filled: [] }
  return { name, argumentsText: JSON.stringify(whole.args), filled: whole.filled }
}

function aboutOf(input: Asked | null): Before {
  const { workspace, path } = input?.args ?? {}
  return { ...(workspace !== undefined && { workspace }), ...(path !== undefined && { path }) }
}

/** Returns a step as several where "and" stands between things that each ask for a tool. */
function withoutAnd(step: Step, before: Before, offered: Offered): Step[] {
  const { prompt, tokens } = step
  const places = [...tokens.keys()].filter((at) => isWord(tokens[at], 'and'))
  for (const at of places.slice(0, mostTries)) {
    const first = stepOf(prompt, tokens.slice(0, at))
    const call = askedBy(first, before, offered)
    const rest = stepOf(prompt, tokens.slice(at + 1))
    const then = { ...before, ...aboutOf(call) }
    if (!call || !askedBy(rest, then, offered)) continue
    return [first, ...withoutAnd(rest, then, offered)]
  }
  return [step]
}

type Offered = ReadonlyMap<string, ToolSpec>

/** `written`: the arguments as the prompt writes them, in JSON; left out = it does not. */
type Asked = { name: string; args: Args; written?: string }

/** Returns the call that a step asks for: of the tool that it names, else of the first one that its words fit. */
function askedBy(step: Step, before: Before, offered: Offered): Asked | null {
  const named = step.tokens.findIndex((token, at) =>
    isToolName(token, step.tokens[at - 1], offered),
  )
  if (named !== -1) return askedByName(step, named, before, offered)
  for (const intent of intents) {
    const args = intent.says.test(step.words) ? intent.read(step, before) : null
    if (args) return { name: intent.tool, args }
  }
  return null
}

const leads = ['use', 'call', 'try', 'tool', 'with', 'using']

function isToolName({ kind, text }: Token, previous: Token | undefined, offered: Offered): boolean {
  if (kind === 'object') return false
  const isKnown = offered.has(text) || toolIntents.has(text)
  const isLed = isWord(previous, ...leads)
  if (text.includes('_')) return isKnown || (isLed && /^[a-z0-9]+(?:_+[a-z0-9]+)+$/.test(text))
  return isKnown && isLed
}

function askedByName(step: Step, at: number, before: Before, offered: Offered): Asked {
  const name = step.tokens[at]?.text ?? ''
  const object = step.tokens.find(({ kind }) => kind === 'object')
  if (object) return { name, args: {}, written: object.text }
  const isLead = (token: Token) => isWord(token, ...leads, 'the')
  const first = step.tokens.slice(0, at).findLastIndex((token) => !isLead(token)) + 1
  const rest = stepOf(
    step.prompt,
    step.tokens.filter((_, index) => index < first || index > at),
  )
  const intent = toolIntents.get(name)
  if (intent) return { name, args: intent.read(withoutTo(rest), before) ?? {} }
  const tool = offered.get(name)
  return { name, args: tool ? argumentsOf(rest, tool, before) : {} }
}

/** Returns a step without the "tool" and "to" that follow the name of a tool. */
function withoutTo(step: Step): Step {
  const { prompt, tokens } = step
  const first = tokens.findIndex((token) => !isWord(token, 'tool', 'to'))
  return first > 0 ? stepOf(prompt, tokens.slice(first)) : step
}
