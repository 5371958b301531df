import 'server-only'
import { endedKeyWords } from '@/lib/domains/api-keys/ended-key'
import { readAnySnapshots } from '@/lib/domains/configurations/run-snapshot'
import { readCases } from '@/lib/domains/policy-cases/reads'
import type { JudgedCase, StoredCase } from '@/lib/domains/policy-cases/shape'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { grantedBySkills } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import { ToolLimits } from '@/lib/protocol/key-limits'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { decideCase, goneCase, judgeDecision } from './decide-case'
import { readDraftGroups } from './draft-groups'
import { policyQuestion, subjectOf } from './load-subject'
import { type PolicyDraft, withDraft } from './policy-draft'
import { type PolicyState, readPolicyStates } from './read-policy-state'

/** Stands for the person of a case that names a group. No account has it. */
const anyMember = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

/** A change that is not made yet. */
type Change = { draft: PolicyDraft }

/**
 * Returns what the policy says about these cases, in their order: of now, or with a draft. Asks with the same gates and rules as
 * each call of a run, without a freeze and without rates (SPEC C3a). `client`: the transaction of a change sees what it changed.
 */
export async function judgeCases(
  client: Tx,
  cases: readonly StoredCase[],
  change: Change | null = null,
): Promise<JudgedCase[]> {
  if (cases.length === 0) return []
  const read = {
    keys: await readKeys(client, cases),
    groups: await readGroups(client, cases),
    snapshots: await readAnySnapshots(client, configurationIdsOf(cases)),
    tools: await loadToolset(client),
    notes: await readNotes(client, cases),
  }
  const askers = cases.map((each) => askerOf(each, read))
  const { readings } = await readPolicyStates(
    client,
    cases.map((each, place) =>
      policyQuestion({
        userId: userIdOf(askers[place]),
        apiKeyId: each.apiKeyId,
        snapshot: read.snapshots.get(each.configurationId ?? '') ?? null,
      }),
    ),
  )
  const groups = change && (await readDraftGroups(client, change.draft))
  return cases.map((each, place) => {
    const asker = askers[place]
    const reading = readings[place]
    const tool = read.tools.get(each.toolName)
    const snapshot = read.snapshots.get(each.configurationId ?? '')
    if (snapshot === undefined) return goneCase(each, 'Its configuration does not exist any more.')
    if (snapshot === null) return goneCase(each, 'Its configuration cannot be read.')
    if (typeof asker === 'string') return goneCase(each, asker)
    if (!tool) return goneCase(each, `The tool ${each.toolName} does not exist any more.`)
    if (reading?.type !== 'read') return goneCase(each, 'What is stored about it cannot be read.')
    if (!asker) throw new Error('A case has no answer.')
    const asked = asker.member ? asMember(reading.value, asker.member, each) : reading.value
    if (!asked.actor) return goneCase(each, 'The account of its person is disabled or deleted.')
    const { configurationId } = each
    const state =
      change && groups
        ? withDraft(asked, change.draft, { configurationId, tools: read.tools.values(), groups })
        : asked
    const { apiKeyId, afterUntrusted } = each
    const hasNotes =
      snapshot.memoryInPrompt === true && read.notes.has(`${asker.userId} ${configurationId}`)
    const untrusted = [
      ...(afterUntrusted ? [anyRead] : []),
      ...(hasNotes ? ['the notes in the prompt'] : []),
    ]
    const subject = subjectFor(state, { snapshot, apiKeyId, untrusted })
    return judgeDecision(each, decideCase(tool, JSON.stringify(each.arguments), subject))
  })
}

/** Returns what the policy of now says about all cases of this site. */
export async function judgeAllCases(client: Tx): Promise<JudgedCase[]> {
  return judgeCases(client, await readCases(client))
}

type AskedGroup = { id: string; name: string; limits: ToolLimits | null; uses: readonly string[] }
/** `member`: the group whose member is meant; null = a person. */
type Asker = { userId: string; member: AskedGroup | null }
type Key = Awaited<ReturnType<typeof readKeys>> extends ReadonlyMap<string, infer K> ? K : never
type Read = {
  keys: ReadonlyMap<string, Key>
  groups: ReadonlyMap<string, AskedGroup>
}

/** Returns whose run a case is about, or why nobody can start it, as a sentence. */
function askerOf(
  { userId, groupId, apiKeyId }: StoredCase,
  { keys, groups }: Read,
): Asker | string {
  if (apiKeyId !== null) {
    const key = keys.get(apiKeyId)
    if (!key) return 'Its API key does not exist any more.'
    const ended = endedKeyWords(key)
    if (ended !== null) return ended
    if (!key.scopes.includes('runs:write')) return 'Its API key may not start runs.'
    return { userId: key.userId, member: null }
  }
  if (userId !== null) return { userId, member: null }
  const member = groups.get(groupId ?? '')
  return member
    ? { userId: anyMember, member }
    : 'Its person, group or API key does not exist any more.'
}

function userIdOf(asker: Asker | string | undefined): string {
  return typeof asker === 'object' ? asker.userId : anyMember
}

function configurationIdsOf(cases: readonly StoredCase[]): string[] {
  return [...new Set(cases.flatMap(({ configurationId }) => configurationId ?? []))]
}

async function readKeys(client: Tx, cases: readonly StoredCase[]) {
  const ids = cases.flatMap(({ apiKeyId }) => apiKeyId ?? [])
  if (ids.length === 0) return new Map()
  const keys = await client.apiKey.findMany({ where: { id: { in: ids } } })
  return new Map(keys.map((key) => [key.id, key]))
}

/** Reads who has notes for which of the configurations of these cases, as ids. */
async function readNotes(client: Tx, cases: readonly StoredCase[]): Promise<ReadonlySet<string>> {
  const notes = await client.memoryNote.findMany({
    where: { configurationId: { in: configurationIdsOf(cases) } },
    distinct: ['userId', 'configurationId'],
    select: { userId: true, configurationId: true },
  })
  return new Set(notes.map(({ userId, configurationId }) => `${userId} ${configurationId}`))
}

async function readGroups(client: Tx, cases: readonly StoredCase[]) {
  const ids = cases.flatMap(({ groupId }) => groupId ?? [])
  const rows =
    ids.length === 0
      ? []
      : await client.group.findMany({
          where: { id: { in: ids } },
          include: { configurations: { select: { configurationId: true } } },
        })
  return new Map(
    rows.map(({ id, name, limits, configurations }): [string, AskedGroup] => [
      id,
      {
        id,
        name,
        limits: limits === null ? null : ToolLimits.parse(limits),
        uses: configurations.map(({ configurationId }) => configurationId),
      },
    ]),
  )
}

/** Returns the state for a member of one group and of no other. */
function asMember(
  state: PolicyState,
  { id, name, limits, uses }: AskedGroup,
  { configurationId }: Pick<StoredCase, 'configurationId'>,
): PolicyState {
  return {
    ...state,
    actor: {
      userId: anyMember,
      email: `a member of ${name}`,
      role: 'member',
      groups: [id],
      limitedBy: limits ? [{ name, limits }] : [],
    },
    configuration: state.configuration && {
      ...state.configuration,
      isOpenToGroup: uses.includes(configurationId ?? ''),
    },
  }
}

type Run = {
  snapshot: RunSnapshot
  apiKeyId: string | null
  /** Sources that others can write and that the run has read. */
  untrusted: string[]
}

const anyRead = 'a tool that reads what others can write'

/** Returns the subject of a run that would begin with this policy. */
function subjectFor(state: PolicyState, { snapshot: then, apiKeyId, untrusted }: Run): Subject {
  const { configuration: now } = state
  const granted = now && grantedBySkills(now.skills)
  const snapshot: RunSnapshot = now
    ? {
        ...then,
        skills: [],
        allowedToolGroups: now.allowedToolGroups,
        allowedTools: now.allowedTools,
        raisedDataClass: now.raisedDataClass,
        fourEyes: now.fourEyes,
        afterUntrusted: now.afterUntrusted,
        grantedBySkills: granted && [...granted].toSorted(),
      }
    : then
  const subject = subjectOf(state, {
    userId: state.actor?.userId ?? anyMember,
    apiKeyId,
    snapshot,
    selected: null,
  })
  const { configuration, revoked } = subject
  const reason = revoked.run ?? revoked.targets[0] ?? null
  return {
    ...subject,
    untrustedReads: untrusted,
    // A run that may not begin has no calls.
    configuration: configuration && {
      ...configuration,
      closed: reason === null ? null : { part: 'audience', reason },
    },
  }
}
