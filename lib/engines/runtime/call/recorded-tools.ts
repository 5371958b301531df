import type { RunState } from '@/lib/protocol/run/fold-run'
import type { Fork, ToolSource } from '@/lib/protocol/run/fork'
import type { Recording } from '@/lib/protocol/run/recording'
import { hasResult, ownCalls, ranWith } from '@/lib/protocol/run/recordings'
import { type ExecutableTool, type Outcome, ToolError, type ToolResult } from '@/lib/protocol/tool'
import { canonicalJson } from '@/lib/words/json-text'
import { parseArguments } from './execute-tool'

type Replaced = Pick<ExecutableTool, 'execute'>

/**
 * Returns the tools for a run that goes on from another one, or that runs a check (SPEC C2, C3): only those that it names as live are
 * called. The others return what was recorded, a fixed text, or nothing, and look at nothing.
 */
export function recordedTools(
  tools: ReadonlyMap<string, ExecutableTool>,
  sources: Fork['sources'],
  state: Pick<RunState, 'rounds' | 'copied'>,
): Map<string, ExecutableTool> {
  return new Map(
    [...tools].map(([name, tool]) => {
      const source = sources[name] ?? null
      if (source?.type === 'live') return [name, tool]
      const { look: _look, ...meta } = tool
      return [name, { ...meta, ...replacement(tool, source, state) } satisfies ExecutableTool]
    }),
  )
}

function replacement(
  tool: ExecutableTool,
  source: Exclude<ToolSource, { type: 'live' }> | null,
  state: Pick<RunState, 'rounds' | 'copied'>,
): Replaced {
  switch (source?.type) {
    case undefined: {
      const results = openResults(tool, state)
      return { execute: async (args) => results.next(args) }
    }
    case 'fixed':
      return { execute: async () => ({ content: source.content }) }
    case 'refused':
      return {
        execute: async () => {
          throw new ToolError('refused', `This run refuses the calls of ${tool.name}.`)
        },
      }
    default:
      return source satisfies never
  }
}

/** Gives the recorded results of a tool, those of the same arguments in order, each once. */
function openResults(
  tool: ExecutableTool,
  { copied, ...state }: Pick<RunState, 'rounds' | 'copied'>,
) {
  const recordings = (copied?.recordings ?? []).filter(({ name }) => name === tool.name)
  const keyOf = (argumentsText: string) => {
    const parsed = parseArguments(tool, argumentsText)
    return parsed.ok ? argumentsKey(parsed.args) : null
  }
  const left = new Map<string | null, Recording[]>()
  for (const recording of recordings) {
    const key = keyOf(recording.argumentsText)
    left.set(key, [...(left.get(key) ?? []), recording])
  }
  // Another process may have taken some before it left the run.
  for (const call of ownCalls({ copied, ...state }))
    if (call.name === tool.name && hasResult(call)) left.get(keyOf(ranWith(call)))?.shift()
  return {
    next: (args: unknown): ToolResult => {
      const found = left.get(argumentsKey(args))?.shift()
      if (found) return resultOf(found.outcome)
      throw new ToolError(
        'no-recording',
        `No further call of ${tool.name} with these arguments is recorded, and this run does not call it.`,
      )
    },
  }
}

function argumentsKey(args: unknown): string {
  return canonicalJson(JSON.stringify(args) ?? '')
}

function resultOf(outcome: Outcome): ToolResult {
  switch (outcome.type) {
    case 'ok': {
      const { content, artifacts, leftOut, dataClass, images = [] } = outcome
      const lost = images.map(({ name }) => ({ what: name, why: 'A recording has no images.' }))
      const isWhole = leftOut === undefined && lost.length === 0
      return {
        content,
        artifacts,
        ...(!isWhole && { leftOut: [...(leftOut ?? []), ...lost] }),
        ...(dataClass && { dataClass }),
      }
    }
    case 'failed':
    case 'timed-out':
    case 'cancelled':
    case 'unknown':
      throw recordedError(outcome)
    case 'denied':
    case 'invalid-arguments':
      throw new ToolError('no-recording', 'The recorded call did not run.')
    default:
      return outcome satisfies never
  }
}

/** Returns the error with which a recorded call ended. */
export function recordedError(
  outcome: Extract<Outcome, { type: 'failed' | 'timed-out' | 'cancelled' | 'unknown' }>,
): ToolError {
  return outcome.type === 'failed'
    ? new ToolError(outcome.code, outcome.message, outcome.flags !== undefined)
    : new ToolError(outcome.type, 'The recorded call had no result.')
}
