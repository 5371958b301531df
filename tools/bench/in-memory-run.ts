import { openProvider } from '@/lib/engines/providers/open-provider'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import { bindTool } from '@/lib/engines/tools/bind-tool'
import { loadExtraTools } from '@/lib/engines/tools/extra-tools'
import { newId } from '@/lib/kernel/new-id'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { memoryResources } from '@/tests/support/memory-resources'
import { openSubject, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { toolsFolder } from './page-tool'

export type InMemoryRun = (
  prompt: string,
  onUpdate?: (update: RunUpdate) => void,
) => Promise<string>

/** Makes a run with `runAgent` and a journal in memory, otherwise as the server does. Resolves with the last answer. */
export async function openInMemoryRun(url: string, maxRounds: number): Promise<InMemoryRun> {
  const definitions = await loadExtraTools(toolsFolder)
  const resources = memoryResources()
  const tools = new Map(
    definitions.map((tool) => [tool.name, bindTool(tool, () => resources)] as const),
  )
  const provider = openProvider('openai-compatible', {
    baseUrl: `${url}/v1`,
    apiKey: 'sk-none',
    settings: {},
    organisation: null,
    headers: {},
    privateAddressAllowed: true,
    publicAddressRefused: false,
    onIncident: reportIncident,
    newId,
  })
  const loadSubject = async () => openSubject
  return async (prompt, onUpdate) => {
    const runId = newId()
    // No stop and no switched-off tool.
    const { signal } = new AbortController()
    const state = await runAgent(runInput({ prompt, snapshot: runSnapshot({ maxRounds }) }), {
      runId,
      tools,
      journal: memoryJournal({ runId, loadSubject, now: Date.now, ...(onUpdate && { onUpdate }) }),
      loadSubject,
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      reserve: async () => ({ type: 'held', reservationId: null, warning: null }),
      reserveResend: async ({ reservationId }) => ({ type: 'held', reservationId, warning: null }),
      release: async () => undefined,
      readCostCapChoice: async () => null,
      readDecisions: async () => [],
      signal,
      watchTool: () => ({ signal, release: () => undefined }),
      reportIncident,
      now: Date.now,
      after,
      random: Math.random,
      newId,
    })
    return state.rounds.at(-1)?.text ?? ''
  }
}

function reportIncident(_incidentId: string, detail: unknown): void {
  console.error('An incident:', detail)
}
