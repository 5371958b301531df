import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { ApprovalFilter, type DecideApproval } from '@/lib/domains/approvals/schemas'
import type { TriedRule } from '@/lib/domains/approvals/shape'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { type ApprovalRow, readApprovals } from '@/lib/runs/approvals/list-approvals'
import type { Engine } from '@/lib/runs/engine/engine'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { turnOfPrompt } from './model-server/prompt-directives'
import { type ModelServerOptions, startModelServer } from './model-server/start-model-server'
import { needsNoApproval } from './needs-no-approval'
import { addRunSite, collect, type RunSite, start } from './run-site'
import { quickTimes, startTestEngine } from './test-engine'
import { setEnv } from './test-process'

export type ApprovalSite = Awaited<ReturnType<typeof openApprovalSite>>

/**
 * Opens a site with a model that does as the prompt says, and a tool that writes lines to a file. No engine works on it
 * yet.
 */
export async function openApprovalSite(script: ModelServerOptions['script'] = turnOfPrompt) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-approvals-'))
  const lines = path.join(folder, 'lines.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: lines,
  })
  const server = await startModelServer({ script })
  const site = await addRunSite(server.url)
  await needsNoApproval('append_line')
  let engine: Engine | undefined
  return {
    ...site,
    server,
    /** Works on its runs in this process until the site closes. */
    startEngine: async () => {
      engine = await startTestEngine(quickTimes)
      return engine
    },
    /** Returns the lines that the tool wrote so far. */
    writtenLines: async () =>
      (await readFile(lines, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    requestsOf: (prompt: string) => server.requests.filter((request) => request.prompt === prompt),
    /** The last model request of runs with this prompt, as text. */
    lastRequestOf: (prompt: string) =>
      JSON.stringify(server.requests.filter((request) => request.prompt === prompt).at(-1)),
    addRule: (rule: Partial<TriedRule> = {}) =>
      approvalRuleVerbs.create(site.admin, { name: 'Writes', toolName: 'append_line', ...rule }),
    /** Explains the tool that writes lines, to the admin, for a run of this person. */
    explained: async (userId: string | null = null) => {
      const question = { userId, configuration: site.configuration, selected: null }
      const tools = await explainTools(site.admin, question)
      return tools.find(({ name }) => name === 'append_line')
    },
    removeRules: async () => {
      for (const { id } of await rulesOf(site.admin)) {
        await approvalRuleVerbs.remove(site.admin, { id })
      }
    },
    close: async () => {
      await engine?.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Opens a site as `openApprovalSite` does before the tests of a file, and closes it after them. An engine works on it, but where
 * the file starts it by itself (`isWaiting`).
 */
export function approvalSiteOfFile({ isWaiting = false } = {}): ApprovalSite {
  // Tests and the other hooks of the file run after this hook, so that none of them sees it empty.
  const site = {} as ApprovalSite
  beforeAll(async () => {
    Object.assign(site, await openApprovalSite())
    if (!isWaiting) await site.startEngine()
  })
  afterAll(() => site.close())
  return site
}

export const append = (text: string) =>
  `[[call append_line {"text":"${text}"}]] [[then]] [[say: that is all]]`

/** Returns all rules, by name. */
export async function rulesOf(admin: Ctx) {
  return (await approvalRuleVerbs.list(admin, { sort: 'name' })).rows
}

/** Starts a run and resolves, once it waits for `calls` words, with what the inbox says of them. */
export async function startAndWait(
  site: RunSite,
  prompt: string,
  calls = 1,
): Promise<{ runId: string; approvals: ApprovalRow[] }> {
  const { runId } = await start(site, prompt)
  return { runId, approvals: await untilWaiting(site.admin, runId, calls) }
}

export async function untilWaiting(ctx: Ctx, runId: string, calls = 1): Promise<ApprovalRow[]> {
  let requestCount = 0
  const until = (event: RunUpdate) => event.type === 'approval-request' && ++requestCount === calls
  await collect(ctx, runId, { until })
  const { approvals: rows } = await readApprovals(ctx, ApprovalFilter.parse({ pageSize: 100 }))
  return rows.filter((row) => row.runId === runId)
}

/** Starts a run and returns its one waiting call. */
export async function startOne(site: RunSite, prompt: string): Promise<ApprovalRow> {
  const { approvals } = await startAndWait(site, prompt)
  const [only] = approvals
  if (!only || approvals.length > 1) throw new Error(`${approvals.length} calls wait.`)
  return only
}

export function decide(ctx: Ctx, row: ApprovalRow, decision: DecideApproval['decision']) {
  const { approvalId, argumentsHash } = row
  return decideApproval(ctx, { approvalId, argumentsHash, decision })
}

export async function finish(ctx: Ctx, runId: string): Promise<RunState> {
  return foldRun(await collect(ctx, runId))
}
