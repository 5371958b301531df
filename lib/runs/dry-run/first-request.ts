import 'server-only'
import { Readable } from 'node:stream'
import { HandoverError, orJournalLost, type RunDeps } from '@/lib/engines/runtime/deps'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { conversationReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import { advance } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import { newId } from '@/lib/kernel/new-id'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { readTurns } from '@/lib/runs/conversations/earlier-turns'
import type { Planned } from '@/lib/runs/start/insert-run'
import { checkForRun } from '@/lib/runs/start/reserve-for-run'
import type { StartContext } from '@/lib/runs/start/run-draft'
import { readTools } from '@/lib/runs/start/versioned'
import { questionOf, reportIncident } from '@/lib/runs/work/connect-run'
import { withUse } from '@/lib/toolset/policy/tool-rates'
import { bindTools } from '@/lib/toolset/tools/load-toolset'

/**
 * A run as it stands when its first request is about to be sent. `sent` null: the run ended before that. `subject`: what
 * gates are asked with, and what is used of the limits of tools.
 */
export type FirstRequest = {
  state: RunState
  sent: { target: ModelTarget; request: ModelRequest } | null
  tools: ReadonlyMap<string, ExecutableTool>
  subject: Subject
}

type Reached = Pick<FirstRequest, 'state' | 'sent'>

/**
 * Lets the loop work on a planned run in memory until it sends its first request, and stops it there. Nothing is stored,
 * reserved, sent or called. Rejects with JournalLostError when policy or budgets cannot be read.
 */
export async function findFirstRequest(
  context: StartContext,
  { run, policyVersion }: Planned,
): Promise<FirstRequest> {
  const { client } = context.database
  const installed = await readTools(context, policyVersion, client)
  const tools = bindTools(installed, client, { since: run.createdAt.getTime() })
  const earlier = await readTurns(client, context.turns, run.start.data.continues)
  const question = { ...questionOf(run, run.start.data), runId: null }
  const loadSubject = async () =>
    (await orJournalLost(context.policy.read(question, client), 'The policy')).subject
  const reached = await advanceToRequest(context, run, { tools, earlier, loadSubject })
  const untrustedReads = conversationReads(reached.state, { tools, earlier })
  const subject = await withUse(client, await loadSubject())
  return { ...reached, tools, subject: { ...subject, untrustedReads } }
}

async function advanceToRequest(
  { database, now }: StartContext,
  run: Planned['run'],
  known: Pick<RunDeps, 'tools' | 'earlier' | 'loadSubject'>,
): Promise<Reached> {
  const { runId } = run
  const { configurationId } = run.start.data.snapshot
  const controller = new AbortController()
  const { signal } = controller
  const journal = memoryJournal({ runId, loadSubject: known.loadSubject, now })
  const begun = foldRun([journal.append(run.start)])
  let reached: Reached | null = null
  const deps: RunDeps = {
    ...known,
    runId,
    journal,
    signal,
    streamModel: (target, request) => {
      reached = { state: foldRun(journal.events), sent: { target, request } }
      controller.abort({ type: 'handover' })
      return Readable.from([])
    },
    reserve: checkForRun(database.pool, { ...run, configurationId }),
    reserveResend: async () => ({ type: 'stopped' }),
    release: async () => undefined,
    readCostCapChoice: async () => null,
    readDecisions: async () => [],
    watchTool: () => ({ signal, release: () => undefined }),
    reportIncident: (incidentId, detail) => reportIncident(run, incidentId, detail),
    now,
    after,
    random: Math.random,
    newId,
  }
  try {
    const ended = await advance(begun, deps)
    return reached ?? { state: ended, sent: null }
  } catch (error) {
    if (error instanceof HandoverError && reached) return reached
    throw error
  }
}
