import { type JsonObject, objectAt } from './json-value'
import { reportedCost, tokenCount, usageOf } from './token-count'
import type { Turn } from './turn'

const figures = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/**
 * Reads the figures of a Messages stream into a turn. They come in two events, the later ones cumulative; the first one
 * cannot know the output yet. Cache reads and writes are beside the input here.
 */
export function createUsageReader(turn: Turn) {
  const known = new Map<(typeof figures)[number], number | null>()
  let cost: ReturnType<typeof reportedCost> = {}
  return (usage: JsonObject, final: boolean): void => {
    for (const name of figures) known.set(name, tokenCount(usage[name]) ?? known.get(name) ?? null)
    cost = { ...cost, ...reportedCost(usage) }
    const thinking = tokenCount(objectAt(usage, 'output_tokens_details').thinking_tokens)
    const [fresh, output, read, written] = figures.map((name) => known.get(name) ?? null)
    if (fresh == null || output == null) return
    const cached = read ?? 0
    const cacheWrite = written ?? 0
    const input = fresh + cached + cacheWrite
    const counted = usageOf({ input, output, cached, cacheWrite, reasoning: thinking ?? 0 })
    const isFinal = final && tokenCount(usage.output_tokens) !== null
    turn.usage = { ...counted, ...cost, estimated: counted.estimated || !isFinal }
  }
}
