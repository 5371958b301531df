import { createHash } from 'node:crypto'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { Effect, TargetReader } from '@/lib/protocol/tool'
import { everybody, yes } from './approval-fixture'
import { runFixture, runInput, testTool } from './run-fixture'
import { asks, says } from './scripted-model'

/** Returns the SHA-256 of a text. */
export const hash = (text: string) => createHash('sha256').update(text).digest('hex')
/** Returns a text as it is kept when it was seen. */
export const kept = (text: string) => ({ text, sha256: hash(text), bytes: Buffer.byteLength(text) })

/** Returns a run whose tool writes a note; `note.text` is what stands there, null = nothing. */
export function noteFixture({
  before = 'old' as string | null,
  waits = true,
  events = [] as RunEvent[],
  deps = {} as Partial<RunDeps>,
  look = {} as Partial<TargetReader>,
  write = (text: string): string | null => text,
  effect = 'write' as Effect,
} = {}) {
  const note = { text: before, writes: 0 }
  const save = testTool('save', {
    effect,
    parse: (args) => ({ ok: true, args }),
    execute: async (args) => {
      note.writes += 1
      note.text = write(textOf(args))
      return { content: 'saved' }
    },
    look: { read: async () => note.text, becomes: textOf, ...look },
  })
  const request = events.length === 0 ? [asks(['save', { text: 'new' }])] : []
  const script = [...request, says('Done.')]
  const toolApprovals = new Map([['save', waits]])
  const run = runFixture({
    script,
    tools: [save],
    events,
    subject: { toolApprovals },
    deps: { readDecisions: everybody(() => yes), ...deps },
  })
  return { ...run, note }
}

function textOf(args: unknown): string {
  return String(Object(args).text)
}

/** Works on the run to its end, and returns its first call. */
export async function finish(run: ReturnType<typeof noteFixture>) {
  const state = await runAgent(runInput(), run.deps)
  const call = state.rounds[0]?.calls[0]
  const ended = call?.state.type === 'ended' ? call.state : null
  return { call, outcome: ended?.outcome, check: ended?.check }
}
