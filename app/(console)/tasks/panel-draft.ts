import { leastRoles, roleAt } from '@/lib/domains/tasks/shared/panel-of-task'
import type { TaskPanel, TaskPanelInput } from '@/lib/domains/tasks/shared/task-panel'
import { panelSize } from '@/lib/protocol/panel/panel'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import { parseCount, parseUsd, typedFigure, usdText } from '@/lib/words/format'

/** Kind of a task's run: one run, or a panel of one of the two kinds. */
export type PanelKind = 'run' | TaskPanel['kind']

/** One member as typed. `configuration`: its identifier, null = that of the task. `key` identifies its row. */
export type MemberDraft = {
  key: number
  configuration: string | null
  instructions: string
  hops: string
  cap: string
  capMode: 'warn' | 'enforce'
}

/**
 * The panel of a task as typed. In a coordination, the first member proposes, the last writes the answer, and each has
 * limits of its own; those of a comparison are the same for all.
 */
export type PanelDraft = {
  kind: PanelKind
  members: MemberDraft[]
  tools: string[]
  hops: string
  cap: string
  capMode: 'warn' | 'enforce'
}

type Cap = { mode: 'warn' | 'enforce'; limitMicroUsd: number } | null

const noLimits = { hops: '', cap: '', capMode: 'warn' } as const
export const noPanel: PanelDraft = { kind: 'run', members: [], tools: [], ...noLimits }

export function panelDraftOf(panel: TaskPanel | null): PanelDraft {
  if (panel === null) return noPanel
  const { kind, tools } = panel
  if (kind === 'confer') {
    const { configurations, hops, memberCostCap } = panel
    const members = configurations.map((configuration, key) => ({
      ...emptyMember(key),
      configuration,
    }))
    return { kind, members, tools, hops: String(hops), ...capDraft(memberCostCap) }
  }
  const { proposer, critics, synthesizer } = panel
  const roles = [proposer, ...critics, { ...synthesizer, hops: null }]
  const members = roles.map(({ configuration, instructions, hops, costCap }, key) => ({
    key,
    configuration,
    instructions: instructions ?? '',
    hops: hops === null ? '' : String(hops),
    ...capDraft(costCap),
  }))
  return { kind, members, tools, ...noLimits }
}

function emptyMember(key: number): MemberDraft {
  return { key, configuration: null, instructions: '', ...noLimits }
}

/** Returns the members with a new one: in a coordination before the last, which writes the answer. */
export function withMember({ kind, members }: Pick<PanelDraft, 'kind' | 'members'>): MemberDraft[] {
  const key = Math.max(-1, ...members.map((member) => member.key)) + 1
  return members.toSpliced(members.length - (kind === 'coordinate' ? 1 : 0), 0, emptyMember(key))
}

/** Returns the members with one before the one above it. What a role is told and its limits stay with the role. */
export function movedUp(
  { kind, members }: Pick<PanelDraft, 'kind' | 'members'>,
  place: number,
): MemberDraft[] {
  const [above, moved] = [members[place - 1], members[place]]
  if (!above || !moved) return members
  const [first, second] = [place - 1, place].map((at) => roleAt(at, members.length))
  if (kind === 'confer' || first === second)
    return members.with(place - 1, moved).with(place, above)
  return members
    .with(place - 1, { ...above, configuration: moved.configuration })
    .with(place, { ...moved, configuration: above.configuration })
}

/** Returns the members for this kind: those that there are, and as many more as it needs. */
export function membersFor(kind: PanelKind, members: MemberDraft[]): MemberDraft[] {
  const least = { run: 0, confer: panelSize.least, coordinate: leastRoles }[kind]
  return members.length >= least
    ? members
    : membersFor(kind, withMember({ kind: 'confer', members }))
}

/** Returns the panel as the input of the verbs; null = one run. A figure that is none is sent as NaN, which the server refuses. */
export function toPanel({ kind, members, tools, ...limits }: PanelDraft): TaskPanelInput | null {
  if (kind === 'run') return null
  if (kind === 'confer') {
    const configurations = members.map(({ configuration }) => configuration ?? '')
    return { kind, configurations, tools, ...hopsOf(limits), memberCostCap: capOf(limits) }
  }
  const membersIn = (role: PanelRole) =>
    members
      .filter((_, place) => roleAt(place, members.length) === role)
      .map((member) => ({
        configuration: member.configuration,
        instructions: member.instructions.trim() === '' ? null : member.instructions,
        costCap: capOf(member),
        ...(role !== 'synthesizer' && hopsOf(member)),
      }))
  const [proposer = {}] = membersIn('proposer')
  const [synthesizer = {}] = membersIn('synthesizer')
  return { kind, proposer, critics: membersIn('critic'), synthesizer, tools }
}

type Limits = Pick<MemberDraft, 'hops' | 'cap' | 'capMode'>

function hopsOf({ hops }: Limits): { hops?: number } {
  const figure = typedFigure(hops, parseCount)
  return figure === null ? {} : { hops: figure }
}

function capOf({ cap, capMode: mode }: Limits): Cap {
  const limitMicroUsd = typedFigure(cap, parseUsd)
  return limitMicroUsd === null ? null : { mode, limitMicroUsd }
}

function capDraft(cap: Cap): Pick<Limits, 'cap' | 'capMode'> {
  return cap === null
    ? { cap: '', capMode: 'warn' }
    : { cap: usdText(cap.limitMicroUsd), capMode: cap.mode }
}

const memberFields = {
  configuration: 'configuration',
  instructions: 'instructions',
  hops: 'hops',
  costCap: 'cap',
}

/** Returns the field of the form at which an error of the server is shown that has this path. */
export function panelFieldOf(path: string): string {
  const [, first = '', ...rest] = path.split('.')
  const at = (place: number | string, name = 'configuration') => {
    const known = Object.entries(memberFields).find(([key]) => key === name)
    return `panel.members.${place}.${known?.[1] ?? 'configuration'}`
  }
  if (first === 'configurations' && rest[0]) return at(rest[0])
  if (first === 'proposer') return at(0, rest[0])
  if (first === 'critics' && rest[0]) return at(Number(rest[0]) + 1, rest[1])
  if (first === 'hops') return 'panel.hops'
  return first === 'memberCostCap' ? 'panel.cap' : 'panel.kind'
}
