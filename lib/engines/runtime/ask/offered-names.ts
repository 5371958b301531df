import type { ModelEvent } from '@/lib/protocol/model/message'
import type { ToolMeta, ToolSpec } from '@/lib/protocol/tool'

/**
 * Aliases of tools for models. Journal, gates, rules and pages use the tool's own name, so it stays the same tool under
 * each alias.
 */
type OfferedNames = {
  /** Returns what a model is told that a tool is called. */
  calledAs: (name: string) => string
  /** Returns the tool that a model means: by its alias, or by its name, which is no other tool's alias. */
  meantBy: (name: string) => string
  /** Returns tools as a model is offered them: the same objects for the same tools. */
  offered: (tools: readonly ToolSpec[]) => readonly ToolSpec[]
}

const asTheyAre: OfferedNames = {
  calledAs: (name) => name,
  meantBy: (name) => name,
  offered: (tools) => tools,
}

type Tools = ReadonlyMap<string, Pick<ToolMeta, 'name' | 'alias'>>

/** By the tools of a run, because requests are put together from the same objects again and again. */
const known = new WeakMap<Tools, OfferedNames>()

export function offeredNames(tools: Tools): OfferedNames {
  const found = known.get(tools) ?? namesOf(tools)
  known.set(tools, found)
  return found
}

function namesOf(tools: Tools): OfferedNames {
  const aliases = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { name, alias } of tools.values()) {
    // A tool that was installed since may have this name. It keeps it.
    if (alias === undefined || tools.has(alias) || names.has(alias)) continue
    aliases.set(name, alias)
    names.set(alias, name)
  }
  if (aliases.size === 0) return asTheyAre
  const made = new WeakMap<ToolSpec, ToolSpec>()
  const offer = (tool: ToolSpec): ToolSpec => {
    const name = aliases.get(tool.name)
    if (name === undefined) return tool
    const { description, parameters, example } = tool
    const one = made.get(tool) ?? { name, description, parameters, ...(example && { example }) }
    made.set(tool, one)
    return one
  }
  return {
    calledAs: (name) => aliases.get(name) ?? name,
    meantBy: (name) => names.get(name) ?? name,
    offered: (all) => all.map(offer),
  }
}

/** Returns what a model answers, with the names of the tools that it means. */
export function withMeantNames(
  events: AsyncIterable<ModelEvent>,
  tools: Tools,
): AsyncIterable<ModelEvent> {
  const names = offeredNames(tools)
  return names === asTheyAre ? events : renamed(events, names)
}

async function* renamed(
  events: AsyncIterable<ModelEvent>,
  { meantBy }: OfferedNames,
): AsyncGenerator<ModelEvent> {
  for await (const event of events) {
    if (event.type === 'tool-call-delta') yield { ...event, name: meantBy(event.name) }
    else if (event.type !== 'finish') yield event
    else {
      const toolCalls = event.toolCalls.map((call) => ({ ...call, name: meantBy(call.name) }))
      yield { ...event, toolCalls }
    }
  }
}
