import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db } from './fixture-db'
import type { ScriptedTurn, ServedRequest } from './model-server/scripted-turn'
import { startModelServer } from './model-server/start-model-server'
import { needsNoApproval } from './needs-no-approval'
import { addPanelSite, type PanelSite } from './panel-site'
import { collect, start } from './run-site'
import { quickTimes, startTestEngine } from './test-engine'

/** An answer that never ends. */
export const hangs: ScriptedTurn = { text: 'So far so', hangAfter: 3 }

/** Returns what as many calls ask for, each something else. */
export function promptsOf(count: number): { prompt: string }[] {
  return Array.from({ length: count }, (_, n) => ({ prompt: `What is 6 x ${n}?` }))
}

/**
 * Returns a site for the tests of a file whose runs may start runs: those of the configuration `own()`, whose model is
 * `model-0`, and of `other()`, whose model is `model-1`. An engine of this process works on them, unless `isElsewhere`.
 */
export function childSiteOfFile({ isElsewhere = false } = {}) {
  /** Next answers of each model, by its name. */
  const turns = new Map<string, ScriptedTurn[]>()
  const seen: ServedRequest[] = []
  let server: Awaited<ReturnType<typeof startModelServer>>
  let engine: Engine | undefined
  let site: PanelSite

  beforeAll(async () => {
    server = await startModelServer({
      script: (request) => {
        seen.push(request)
        return turns.get(request.model)?.shift() ?? { text: `I am ${request.model}.` }
      },
    })
    if (!isElsewhere) engine = await startTestEngine(quickTimes)
    site = await addPanelSite(server.url, ['openai-compatible', 'anthropic'])
    await switchTool(site.admin, { name: 'spawn_run', enabled: true, reason: 'a test' })
  })
  beforeEach(async () => {
    turns.clear()
    seen.length = 0
    await needsNoApproval('spawn_run')
  })
  afterEach(() => db().budget.deleteMany())
  afterAll(async () => {
    await engine?.close()
    await server.close()
  })

  const own = () => site.configurations[0] ?? ''
  const other = () => site.configurations[1] ?? ''
  const admin = () => site.admin
  const asks = (...many: object[]): ScriptedTurn => ({
    calls: (many.length === 0 ? [{}] : many).map((args) => ({
      name: 'spawn_run',
      arguments: { configuration: other(), prompt: 'What is 6 x 7?', ...args },
    })),
  })
  const begin = (wishes: Partial<StartRunInput> = {}, ctx: Ctx = admin()) =>
    start({ admin: ctx, configuration: own() }, 'Ask another model.', wishes)
  const endOf = async (runId: string) => foldRun(await collect(admin(), runId))
  const childrenOf = (runId: string) => db().run.findMany({ where: { parentRunId: runId } })

  return {
    turns,
    seen,
    own,
    other,
    admin,
    asks,
    begin,
    endOf,
    childrenOf,
    panelSite: () => site,
    /** Runs to the end, and returns the state with the outcomes of its calls and the runs that they started. */
    outcomes: async (wishes: Partial<StartRunInput> = {}, ctx: Ctx = admin()) => {
      const { runId } = await begin(wishes, ctx)
      const state = await endOf(runId)
      const calls = state.rounds.flatMap((round) => round.calls)
      const ended = calls.map(({ state: call }) => (call.type === 'ended' ? call.outcome : call))
      return { runId, state, calls, ended, children: await childrenOf(runId) }
    },
    /** Waits until all have ended, which must not take longer, and returns the reasons, that of the run first. */
    endsWithin: async (ms: number, { runId, childIds }: { runId: string; childIds: string[] }) => {
      const since = Date.now()
      const states: RunState[] = []
      for (const id of [runId, ...childIds]) states.push(await endOf(id))
      expect(Date.now() - since).toBeLessThan(ms)
      return states.map(({ end }) => end?.reason)
    },
    /** Starts a run whose children answer without an end, when asked for the first `times`, and waits until all do. */
    hanging: async (times = 1, count = 1) => {
      turns.set('model-0', [asks(...promptsOf(count))])
      turns.set('model-1', Array(times * count).fill(hangs))
      const { runId } = await begin()
      const answers = () => seen.filter(({ model }) => model === 'model-1').length
      await expect.poll(answers, { timeout: 10_000 }).toBe(count)
      const childIds = (await childrenOf(runId)).map(({ id }) => id)
      return { runId, childIds, childId: childIds[0] ?? '' }
    },
  }
}
