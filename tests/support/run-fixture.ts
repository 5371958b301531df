import type { RunDeps, RunInput } from '@/lib/engines/runtime/deps'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import {
  nothingRevoked,
  type Person,
  type Subject,
  type SubjectConfiguration,
} from '@/lib/engines/runtime/policy/subject'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { Actor, ExecutableTool } from '@/lib/protocol/tool'
import { everything, toolAccess } from '@/lib/protocol/tool-access'
import { type ScriptStep, scriptedModel } from './scripted-model'
import { testClock } from './test-clock'

const ada: Actor = { userId: 'u-admin', email: 'ada@example.org', role: 'admin' }
export const admin: Person = { ...ada, groups: [], limitedBy: [] }
export const member: Person = {
  userId: 'u-member',
  email: 'max@example.org',
  role: 'member',
  groups: ['g-support'],
  limitedBy: [],
}

export const openSubject: Subject = {
  actor: admin,
  apiKeyId: null,
  frozen: null,
  present: new Set(),
  groupsOff: new Map(),
  overrides: new Map(),
  configuration: null,
  selected: null,
  apiKey: null,
  remote: new Map(),
  accounts: new Map(),
  approvalRules: [],
  toolApprovals: new Map(),
  untrustedReads: [],
  rates: new Map(),
  approvalLifetimeMs: 3_600_000,
  fourEyes: false,
  starters: [],
  approvers: new Map([[admin.userId, admin]]),
  revoked: nothingRevoked,
}

/** Returns a configuration that allows everything but what `fields` say. */
export function subjectConfiguration(
  fields: Partial<SubjectConfiguration> = {},
): SubjectConfiguration {
  return {
    id: 'c',
    name: 'Nightly',
    task: null,
    closed: null,
    allowed: toolAccess(everything),
    allowedThen: toolAccess(everything),
    leastTrusted: { connectionName: 'Here', zone: 'local' },
    raisedDataClass: null,
    grantedBySkills: null,
    afterUntrusted: 'allow',
    limitingSkills: [],
    ...fields,
  }
}

export function modelTarget(fields: Partial<ModelTarget> = {}): ModelTarget {
  return {
    connectionId: 'connection-1',
    connectionName: 'Test',
    wire: 'openai',
    trustZone: 'external-global',
    modelRecordId: 'model-record-1',
    modelId: 'test-model',
    contextTokens: null,
    maxOutputTokens: null,
    toolCalling: 'confirmed',
    unsupportedParameters: [],
    maxTries: 3,
    prices: { input: 1_000_000, output: 2_000_000, cachedInput: 1, cacheWrite: 1, reasoning: null },
    ...fields,
  }
}

export function runSnapshot(fields: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    configurationId: 'configuration-1',
    configurationName: 'Test',
    configurationIdentifier: 'test',
    systemPrompt: 'Be brief.',
    parameters: defaultModelParameters,
    targets: [modelTarget()],
    maxRounds: 5,
    timeLimitMs: 600_000,
    allowedToolGroups: null,
    raisedDataClass: null,
    fourEyes: false,
    skills: [],
    task: null,
    toolMode: 'auto',
    costCaps: [],
    ...fields,
  }
}

export function runInput(fields: Partial<RunInput> = {}): RunInput {
  return { prompt: 'What is new?', actor: ada, snapshot: runSnapshot(), ...fields }
}

/** Returns a tool that is on for everybody, takes any object and returns "done". */
export function testTool(name: string, fields: Partial<ExecutableTool> = {}): ExecutableTool {
  return {
    name,
    description: `The ${name} tool.`,
    parameters: { type: 'object' },
    group: 'test',
    enabledByDefault: true,
    requiresAdmin: false,
    effect: 'read',
    dataClass: 'public',
    timeoutMs: 30_000,
    parse: (args) => ({ ok: true, args }),
    execute: async () => ({ content: 'done' }),
    ...fields,
  }
}

export function toolMap(...tools: ExecutableTool[]): Map<string, ExecutableTool> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** Returns the answers of an admin that no call of these tools has to wait, also where one writes. */
function unasked(tools: readonly Pick<ExecutableTool, 'name'>[]): Map<string, boolean> {
  return new Map(tools.map(({ name }) => [name, false]))
}

type Setup = {
  script?: ScriptStep[]
  tools?: ExecutableTool[]
  subject?: Partial<Subject>
  /** Events that are in the journal already. */
  events?: RunEvent[]
  deps?: Partial<RunDeps>
}

/** Returns everything that a run needs, in memory, with a scripted model and a clock that jumps. */
export function runFixture({
  script = [],
  tools = [],
  subject = {},
  events = [],
  deps = {},
}: Setup) {
  const clock = testClock()
  const model = scriptedModel(...script)
  const controller = new AbortController()
  const switches = { subject: { ...openSubject, toolApprovals: unasked(tools), ...subject } }
  const incidents: { incidentId: string; detail: unknown }[] = []
  const loadSubject = async () => switches.subject
  const journal = memoryJournal({ runId: 'run-1', loadSubject, now: clock.now })
  journal.events.push(...events)
  let ids = events.length * 1000
  const all: RunDeps = {
    runId: 'run-1',
    tools: toolMap(...tools),
    journal,
    loadSubject,
    streamModel: model.stream,
    reserve: async () => ({ type: 'held', reservationId: null, warning: null }),
    reserveResend: async ({ reservationId }) => ({ type: 'held', reservationId, warning: null }),
    release: async () => undefined,
    readCostCapChoice: async () => null,
    readDecisions: async () => [],
    signal: controller.signal,
    watchTool: () => ({ signal: new AbortController().signal, release: () => undefined }),
    reportIncident: (incidentId, detail) => void incidents.push({ incidentId, detail }),
    now: clock.now,
    after: clock.after,
    random: () => 0.5,
    newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    ...deps,
  }
  return {
    deps: all,
    journal,
    events: journal.events,
    deltas: journal.deltas,
    model,
    clock,
    switches,
    incidents,
    stop: (reason: unknown) => controller.abort(reason),
    state: (): RunState => foldRun(journal.events, initialRunState),
  }
}

/** Returns the types of the events. */
export function typesOf(events: readonly RunEventBody[]): string[] {
  return events.map(({ type }) => type)
}

/** Returns the pieces of text that were shown of answers. */
export function shownTexts(updates: readonly RunUpdate[]): string[] {
  return updates.flatMap((update) => (update.type === 'text-delta' ? [update.data.text] : []))
}

/** Returns all events of one type. */
export function eventsOf<T extends RunEventBody['type']>(
  events: readonly RunEventBody[],
  type: T,
): RunEventOf<T>[] {
  return events.filter((event): event is RunEventOf<T> => event.type === type)
}
