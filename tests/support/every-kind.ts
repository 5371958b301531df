import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { DecideApproval } from '@/lib/domains/approvals/schemas'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { uploadFile } from '@/lib/runs/files/upload-file'
import type { StartRunInput } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import { checkServer } from '@/lib/toolset/servers/check'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { commandLineOf } from '@/lib/words/command-line'
import { addLocalModel } from './add-local-model'
import { type ApprovalSite, append, decide, finish, startOne } from './approval-site'
import { db } from './fixture-db'
import { scriptedServer, textTool } from './mcp/script'
import { acceptServer } from './mcp/server-site'
import { startModelServer } from './model-server/start-model-server'
import { needsNoApproval } from './needs-no-approval'
import { addPanelSite, endOfPanel, startOn } from './panel-site'
import { collect, type RunSite, start } from './run-site'
import { addWireSite, spokenWires } from './wire-site'

/** A run that has ended, and what is special about it. */
export type KnownRun = { kind: string; runId: string }

/** Runs of one kind: `prompt` makes another prompt for each number. */
type Kind = {
  count: number
  prompt: (n: number) => string
  wishes?: (n: number) => Partial<StartRunInput>
  on?: RunSite
}

const sum = (n: number) => `[[call calculate {"expression":"${n} + 1"}]]`
const look = '[[call list_groups {}]]'
const done = '[[then]] [[say: Done.]]'
const inText = (name: string, args: object) =>
  `[[say: I look. <tool_call>{"name":"${name}","args":${JSON.stringify(args)}}</tool_call>]]`
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n))
const outputSchema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}

/** Kinds of runs on the site itself. Those that call `calculate` have it in their name. */
const plainKinds: Record<string, Kind> = {
  'an answer': { count: 16, prompt: (n) => `[[say: ${'word '.repeat(n * 40 + 1)}]]` },
  thoughts: { count: 3, prompt: (n) => `[[reason: ${n}]] ${look} [[then]] [[say: So.]]` },
  'calculate in rounds': {
    count: 24,
    prompt: (n) => `${times((n % 4) + 1, sum).join(' [[then]] ')} ${done}`,
  },
  'calculate at once': { count: 8, prompt: (n) => `${times(n + 1, sum).join(' ')} ${done}` },
  reads: { count: 12, prompt: (n) => `${times((n % 3) + 1, () => look).join(' ')} ${done}` },
  writes: { count: 8, prompt: (n) => append(`line ${n}`) },
  'arguments that do not fit': {
    count: 4,
    prompt: (n) => `[[call append_line {"text":${n}}]] ${done}`,
  },
  'no JSON': { count: 2, prompt: () => `[[call append_line {"text":]] ${done}` },
  'a tool that is not there': { count: 3, prompt: (n) => `[[call nothing_${n} {}]] ${done}` },
  'a tool that is off': { count: 3, prompt: () => `[[call get_env_raw {}]] ${done}` },
  'picked tools': {
    count: 4,
    prompt: (n) => append(`no ${n}`),
    wishes: () => ({ tools: ['list_groups'] }),
  },
  'a large result': { count: 6, prompt: () => `[[call big_result {}]] ${done}` },
  images: { count: 2, prompt: () => `[[call draw_square {}]] ${done}` },
  'many calls': { count: 2, prompt: () => `${times(20, () => look).join(' ')} ${done}` },
  'a loop': {
    count: 2,
    prompt: () => `${look} [[always]]`,
    wishes: (n) => ({ maxRounds: n + 2 }),
  },
  'an enforced cost cap': {
    count: 5,
    prompt: (n) => `${times(n + 1, () => look).join(' ')} ${done}`,
    wishes: () => ({ costCap: { mode: 'enforce', limitMicroUsd: 1 } }),
  },
  'a cost cap that warns': {
    count: 4,
    prompt: () => `${look} [[then]] ${look} ${done}`,
    wishes: (n) => ({ costCap: { mode: 'warn', limitMicroUsd: n + 1 } }),
  },
  'a cut answer': { count: 4, prompt: (n) => `[[say: A part ${n}]] [[finish length]]` },
  'a refusal': { count: 3, prompt: () => '[[status 400]]' },
  'no usage': { count: 2, prompt: () => `${look} [[no usage]] ${done}` },
  'output that fits': {
    count: 3,
    prompt: (n) => `[[say: {"n":${n}}]]`,
    wishes: () => ({ outputSchema }),
  },
  'output that is repaired': {
    count: 3,
    prompt: (n) => `${look} [[then]] [[say: no]] [[then]] [[say: {"n":${n}}]]`,
    wishes: () => ({ outputSchema }),
  },
}

/**
 * Records runs of every kind that end, on the engine of this process, and returns them: of each kind at most `most`. `close` ends the servers that they
 * needed; `requests` counts what all of them were asked for so far.
 */
export async function recordEveryKind(
  site: ApprovalSite,
  { most = Number.POSITIVE_INFINITY } = {},
) {
  const spare = await startModelServer({
    script: () => ({ status: 429, headers: { 'retry-after': '0' } }),
  })
  const program = await addProgram(site)
  const kinds = { ...plainKinds, ...(await kindsElsewhere(site, spare.url)) }
  const plain = Object.entries(kinds).flatMap(([kind, { count, prompt, wishes, on }]) =>
    times(Math.min(count, most), String).map((_, n) => async (): Promise<KnownRun[]> => {
      const { runId } = await start(on ?? site, prompt(n), wishes?.(n))
      await collect(site.admin, runId)
      return [{ kind, runId }]
    }),
  )
  const work = [
    ...plain,
    ...times(Math.min(4, most), String).map(() => () => recordConversation(site)),
    ...decisions.slice(0, 3 * most).map((decision, n) => () => recordDecided(site, decision, n)),
    ...times(Math.min(3, most), String).map((_, n) => () => recordFiles(site, n)),
    () => recordPanels(site, Math.min(4, most)),
    () => recordChildren(site, Math.min(4, most)),
    () => recordStopped(site),
  ]
  const runs = await pLimit(8).map(work, (each) => each())
  return {
    runs: runs.flat(),
    requests: () => site.server.requests.length + spare.requests.length,
    started: () => program.notes().length,
    close: async () => {
      await spare.close()
      await db().server.deleteMany()
      await program.close()
    },
  }
}

/** Adds an MCP server whose tool may be called as `kinds__echo`. */
async function addProgram({ admin }: RunSite) {
  const program = await scriptedServer({ tools: [textTool('echo')] })
  const command = commandLineOf(program.command)
  const { id } = await serverVerbs.create(admin, { name: 'kinds', kind: 'stdio', command })
  await checkServer(admin, { id })
  await acceptServer(admin, id)
  return program
}

/** Returns kinds of runs that have a configuration of their own. */
async function kindsElsewhere(site: ApprovalSite, spareUrl: string): Promise<Record<string, Kind>> {
  const { admin, server } = site
  const { url } = server
  const kinds: Record<string, Kind> = {}
  for (const wire of spokenWires) {
    const on = await addWireSite(admin, url, { wire })
    const prompt = (n: number) => `${sum(n)} [[then]] ${look} ${done}`
    kinds[`calculate on ${wire}`] = { count: 2, on, prompt }
  }
  const wire = 'openai-compatible'
  const prompted = await addWireSite(admin, url, { wire, toolMode: 'prompted' })
  const retries = await addWireSite(admin, url, { wire })
  const fallback = await addFallback(site, spareUrl)
  return {
    ...kinds,
    'calculate in text': {
      count: 5,
      on: prompted,
      prompt: (n) =>
        `${times(n + 1, (m) => inText('calculate', { expression: `${m}` })).join(' [[then]] ')} ${done}`,
    },
    'in text': { count: 3, on: prompted, prompt: () => `${inText('list_groups', {})} ${done}` },
    'in text, not there': { count: 2, on: prompted, prompt: () => `${inText('none', {})} ${done}` },
    retries: {
      count: 5,
      on: retries,
      prompt: () => '[[status 429 retry-after=0]] [[then]] [[say: At last.]]',
    },
    fallback: { count: 4, on: fallback, prompt: () => `${look} ${done}` },
    'a tool of a server': {
      count: 6,
      prompt: (n) => `[[call kinds__echo {"text":"${n}"}]] ${done}`,
    },
  }
}

/** Adds a configuration whose first model is always busy. */
async function addFallback({ admin, server }: ApprovalSite, spareUrl: string): Promise<RunSite> {
  const tag = randomUUID().slice(0, 8)
  const wire = 'openai-compatible'
  const [busy, other] = [
    await addLocalModel(admin, { wire, connectionName: `Busy ${tag}`, url: spareUrl }),
    await addLocalModel(admin, { wire, connectionName: `Other ${tag}`, url: server.url }),
  ]
  const identifier = `falls-${tag}`
  const names = { identifier, name: identifier }
  await createConfiguration(admin, { ...names, modelId: busy, fallbackModelIds: [other] })
  return { admin, configuration: identifier }
}

async function recordConversation(site: ApprovalSite): Promise<KnownRun[]> {
  const runs: KnownRun[] = []
  for (const prompt of [`${sum(1)} ${done}`, `${look} ${done}`, '[[say: Three.]]']) {
    const { runId } = await start(site, prompt, { continues: runs.at(-1)?.runId ?? null })
    await collect(site.admin, runId)
    const kind = prompt.includes('calculate') ? 'calculate in a conversation' : 'a later turn'
    runs.push({ kind, runId })
  }
  return runs
}

type Decision = DecideApproval['decision']

/** The rule of the site asks for lines with this word. */
export const askedWord = 'please'
/** Decisions on the calls that it asks for, by their number. */
export const decisions = times(4, String).flatMap((): Decision[] => [
  { type: 'approve', message: '' },
  { type: 'edit', argumentsText: `{"text":"${askedWord}, softer"}`, message: '' },
  { type: 'deny', message: 'Not today.' },
])

async function recordDecided(
  site: ApprovalSite,
  decision: Decision,
  n: number,
): Promise<KnownRun[]> {
  const row = await startOne(site, append(`${askedWord} ${n}`))
  await decide(site.admin, row, decision)
  await finish(site.admin, row.runId)
  return [{ kind: `a decided call: ${decision.type}`, runId: row.runId }]
}

async function recordFiles(site: ApprovalSite, n: number): Promise<KnownRun[]> {
  const pieces = [new TextEncoder().encode('A line of the file.\n'.repeat(n * 50 + 1))]
  const { id } = await uploadFile(site.admin, { name: `${n}.txt`, pieces, dataClass: null })
  const { runId } = await start(site, `${look} ${done}`, { files: [{ id }] })
  await collect(site.admin, runId)
  return [{ kind: 'a file', runId }]
}

async function recordPanels({ server }: ApprovalSite, count: number): Promise<KnownRun[]> {
  const panels = await addPanelSite(server.url, ['openai-compatible', 'anthropic'])
  const runs: KnownRun[] = []
  for (let n = 0; n < count; n += 1) {
    const wishes = { prompt: `${sum(n)} ${done}`, tools: ['calculate'] }
    const { panelId } = await startOn(panels, wishes)
    const { panel } = await endOfPanel(panels, panelId)
    for (const { run } of panel.members)
      if (run) runs.push({ kind: 'calculate in a panel', runId: run.runId })
  }
  return runs
}

async function recordChildren(site: ApprovalSite, count: number): Promise<KnownRun[]> {
  await switchTool(site.admin, { name: 'spawn_run', enabled: true, reason: 'a test' })
  await needsNoApproval('spawn_run')
  const runs: KnownRun[] = []
  for (let n = 0; n < count; n += 1) {
    const child = JSON.stringify({ configuration: site.configuration, prompt: `What is ${n}?` })
    const { runId } = await start(site, `[[call spawn_run ${child}]] ${done}`)
    await collect(site.admin, runId)
    const children = await db().run.findMany({ where: { parentRunId: runId } })
    runs.push({ kind: 'a parent', runId })
    for (const { id } of children) runs.push({ kind: 'a child', runId: id })
  }
  return runs
}

async function recordStopped(site: ApprovalSite): Promise<KnownRun[]> {
  const { runId } = await start(site, `${sum(1)} [[then]] [[hang 2]] [[say: one two three four]]`)
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  await cancelRun(site.admin, { runId })
  await collect(site.admin, runId)
  return [{ kind: 'calculate, then stopped', runId }]
}
