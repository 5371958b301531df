import type { MissingAccount, RemoteState } from '@/lib/domains/servers/shared/remote-state'
import type { ApprovalRule } from '@/lib/protocol/approval'
import type { AfterUntrusted } from '@/lib/protocol/flow'
import type { LimitingGroup, RunKey } from '@/lib/protocol/key-limits'
import type { LeastTrusted } from '@/lib/protocol/model/model-target'
import type {
  Actor,
  DataClass,
  DenialPart,
  GateName,
  ToolMeta,
  ToolNeed,
} from '@/lib/protocol/tool'
import type { ToolAccess } from '@/lib/protocol/tool-access'

/** A stored answer about one tool: who gave it, when (ms since 1970) and why. */
export type SwitchState = { enabled: boolean; reason: string; changedBy: string; changedAt: number }

/** A person, with the ids of the groups that they are a member of, and those of them that limit their members. */
export type Person = Actor & {
  groups: readonly string[]
  limitedBy: readonly LimitingGroup[]
}

/**
 * Limits for starts of a tool's calls; null: none. `use`: the current count; null: it was not read and refuses nothing
 * here, because the start of the call checks it.
 */
export type ToolRate = { perMinute: number | null; perRun: number | null; use: RateUse | null }

/** `inMinute` and `inRun` count starts. `waitMs`: how long the last minute leaves no room; null = it has some. */
export type RateUse = { inMinute: number; inRun: number; waitMs: number | null }

/** Author and reason of a decision. */
type Author = { by: string; reason: string }

/**
 * Everything the gates need to know about one run at one moment, freshly read. Null always means "no opinion",
 * except `actor`: an unknown actor may use nothing.
 */
export type Subject = {
  actor: Person | null
  /** The API key that started the run; null = none did. */
  apiKeyId: string | null
  frozen: Author | null
  /** Resources that tools need and this site has. */
  present: ReadonlySet<ToolNeed>
  /** Tool groups an admin switched off. */
  groupsOff: ReadonlyMap<string, Author>
  /** A tool without an entry has its own default. */
  overrides: ReadonlyMap<string, SwitchState>
  /** The configuration the run works with; null = none was picked yet. */
  configuration: SubjectConfiguration | null
  /** Tools picked for this run; null = all that the other gates allow, an empty set = none. */
  selected: ReadonlySet<string> | null
  /** The API key that the run was started with, as it is now; null = it was started without one. */
  apiKey: RunKey | null
  /** The tools of servers, by name. */
  remote: ReadonlyMap<string, RemoteState>
  /** Accounts at servers that this person's calls need and that cannot be used, by the name of the server. */
  accounts: ReadonlyMap<string, MissingAccount>
  /** The rules that say which calls are refused, need approval or are noted (SPEC G-A, G-D). */
  approvalRules: readonly ApprovalRule[]
  /** Approval setting of each tool; without an entry, its calls wait if it writes (SPEC G-W). */
  toolApprovals: ReadonlyMap<string, boolean>
  /** The limits of tools that have one, by name. */
  rates: ReadonlyMap<string, ToolRate>
  /** Time that a call waits for approval, in milliseconds. */
  approvalLifetimeMs: number
  /**
   * Sources that others can write and that the run has read: names of tools, or the notes in its prompt (SPEC G-U);
   * empty outside of a run.
   */
  untrustedReads: readonly string[]
  /** The starter of the run may not approve its calls: its configuration says so, or did when the run began. */
  fourEyes: boolean
  /** Ids of people who count as starters of the run, beside its person (SPEC A10). */
  starters: readonly string[]
  /** The approvers of calls of the run who can still sign in, by user id, with their current rights. */
  approvers: ReadonlyMap<string, Person>
  /** The rights of the run that were taken away since it began (SPEC G-R). */
  revoked: Revoked
}

/**
 * Returns a subject without refusals that will end, such as a freeze or an account that nobody connected yet, for answers about what is
 * allowed in general.
 */
export function withoutTemporary(subject: Subject): Subject {
  return { ...subject, frozen: null, accounts: new Map() }
}

/**
 * Sentences for people about what was taken away; null = nothing. `run` is about the person and the configuration,
 * `targets` about each model of the run's chain, in order.
 */
export type Revoked = { run: string | null; targets: readonly (string | null)[] }

export const nothingRevoked: Revoked = { run: null, targets: [] }

/** `reason` is a sentence for people; `part` says what of the configuration it is about, where that is one of them. */
type Closed = { part?: DenialPart; reason: string }

export type SubjectConfiguration = {
  id: string
  name: string
  /** The name of the task that is run, whose skills also count; null = a prompt without a task. */
  task: string | null
  /**
   * Why this person cannot start a run with it. Null = they can, or the run was already started; then `revoked` says
   * what ends it.
   */
  closed: Closed | null
  /** The tools that it allows now. */
  allowed: ToolAccess
  /** The tools that it allowed when the run began; outside of a run, the same. */
  allowedThen: ToolAccess
  /** The provider of the run's chain whose zone decides what may be sent. */
  leastTrusted: LeastTrusted
  /** The most sensitive class an admin raised this configuration to; null = what the zone says. */
  raisedDataClass: DataClass | null
  /** Union of what the effective skills list; null = none of them lists anything (SPEC G-S). */
  grantedBySkills: ReadonlySet<string> | null
  /** Treatment of calls that write after such a read. */
  afterUntrusted: AfterUntrusted
  /** Runs begin with the notes of their person; absent: no. */
  memoryInPrompt?: boolean
  /** Why the calls of its runs may start none; absent = they may. */
  startsNoRuns?: 'panel' | 'run'
  /** The configuration of the run that started this one, whose rules count, too; absent = none did. */
  startedFrom?: string
  /** The skills whose lists make that union, or made it when the run began. */
  limitingSkills: readonly LimitingSkill[]
}

/** A skill with the tools that it lists. */
export type LimitingSkill = { name: string; allowedTools: readonly string[] }

/** One gate. `denies` returns null to allow, or one sentence: why not, and what a person can do. */
export type Gate = {
  name: GateName
  denies: (tool: ToolMeta, subject: Subject) => string | null
  /** The part that denied, where a gate checks several. */
  part?: (tool: ToolMeta, subject: Subject) => DenialPart | undefined
}

/**
 * `heldBack`: attached and switched on, but its file changed or is gone; the list is the one that was accepted last.
 */
type Listing = { allowedTools: readonly string[] | null; heldBack?: boolean }
type List = readonly string[]

/**
 * Returns the union of what skills list under `allowed-tools`; null when none of them has a list, an empty set when all
 * lists are `[]` (SPEC G-S). Names that no tool has stay in it and match nothing. Lists of skills that are held back
 * limit only where no other one does, and to what all of them have, so that a changed file never adds a tool (ADR 010).
 */
export function grantedBySkills(skills: readonly Listing[]): ReadonlySet<string> | null {
  const listing = skills.flatMap(({ allowedTools, heldBack = false }) =>
    allowedTools === null ? [] : [{ list: allowedTools, heldBack }],
  )
  const lists = (wanted: boolean) =>
    listing.filter(({ heldBack }) => heldBack === wanted).map(({ list }) => list)
  return unionOf(lists(false)) ?? inAllOf(lists(true))
}

/** Returns the skills whose lists `grantedBySkills` is made of: those held back only where no other one lists anything. */
export function limitingSkills(
  skills: readonly (Listing & { name: string })[],
): readonly LimitingSkill[] {
  const listing = skills.flatMap(({ name, allowedTools, heldBack = false }) =>
    allowedTools === null ? [] : [{ name, allowedTools, heldBack }],
  )
  const counting = listing.filter(({ heldBack }) => !heldBack)
  return counting.length > 0 ? counting : listing
}

function unionOf(lists: readonly List[]): ReadonlySet<string> | null {
  return lists.length === 0 ? null : new Set(lists.flat())
}

function inAllOf([first, ...others]: readonly List[]): ReadonlySet<string> | null {
  return first ? new Set(first.filter((name) => others.every((list) => list.includes(name)))) : null
}
