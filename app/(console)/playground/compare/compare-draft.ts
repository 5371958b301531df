import { leastRoles } from '@/lib/domains/tasks/shared/panel-of-task'
import type { ActionError } from '@/lib/next/action'
import { hopBudgets, panelSize } from '@/lib/protocol/panel/panel'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import { readSchema } from '@/lib/protocol/parameters/parameters'
import { parseCount, typedFigure } from '@/lib/words/format'
import {
  type CostCapDraft,
  capError,
  capInput,
  filesInput,
  noCap,
  promptError,
  type RunDraft,
  type RunDraftErrors,
  schemaError,
} from '../run-draft'

/** Kind of panel: each member answers by itself, or they have roles and work one after the other. */
export type PanelMode = 'compare' | 'coordinate'

/** Returns the mode that the address asks for; null = none. */
export function modeOf(input: unknown): PanelMode | null {
  if (input === 'coordinate') return input
  return input === 'on' ? 'compare' : null
}

/** Instructions of each role in place of the shipped ones; "": the shipped ones. All critics have the same. */
export type RoleInstructions = Readonly<Record<PanelRole, string>>

/** The form's values for a panel, beside the prompt and the files. Texts of fields are as typed; "" = as usual. */
export type CompareDraft = {
  mode: PanelMode
  /** The ids of the configurations, in the order of the columns. With roles, the first proposes and the last writes the answer. */
  ids: readonly string[]
  told: RoleInstructions
  /** The names of the tools that the members may have; none by default. */
  tools: readonly string[]
  hops: string
  /** The cost cap of all members together, and that of each. */
  all: CostCapDraft
  each: CostCapDraft
  /** JSON text; "" = the schemas from the configurations. Roles have their own instead. */
  outputSchema: string
}

const asShipped: RoleInstructions = { proposer: '', critic: '', synthesizer: '' }

export const noCompare: CompareDraft = {
  mode: 'compare',
  ids: [],
  told: asShipped,
  tools: [],
  hops: '',
  all: noCap,
  each: noCap,
  outputSchema: '',
}

/** Minimum number of members by mode. */
export const leastMembers: Readonly<Record<PanelMode, number>> = {
  compare: panelSize.least,
  coordinate: leastRoles,
}

export type CompareErrors = Pick<RunDraftErrors, 'prompt' | 'files' | 'general'> & {
  /** About the list of configurations. */
  configurations?: string
  /** By the places of the configurations. */
  members?: Record<string, string>
  tools?: string
  hops?: string
  all?: string
  each?: string
  outputSchema?: string
}

/** Returns the errors of the fields; empty when the panel can start. */
export function checkCompare(
  { mode, ids, tools, hops, all, each, outputSchema }: CompareDraft,
  { prompt, files }: Pick<RunDraft, 'prompt' | 'files'>,
): CompareErrors {
  const errors: CompareErrors = {}
  const ofPrompt = promptError(prompt)
  if (ofPrompt) errors.prompt = ofPrompt
  if (files === null) errors.files = 'Wait for the files, or remove refused ones.'
  if (ids.length < leastMembers[mode]) errors.configurations = tooFew[mode]
  const most = typedFigure(hops, parseCount)
  if (tools.length > 0 && most !== null && !(most >= 1 && most <= hopBudgets.most))
    errors.hops = `Enter a whole number from 1 to ${hopBudgets.most}.`
  const [ofAll, ofEach] = [capError(all), capError(each)]
  if (ofAll) errors.all = ofAll
  if (ofEach) errors.each = ofEach
  const problem = mode === 'compare' && schemaError(outputSchema)
  if (problem) errors.outputSchema = problem
  return errors
}

/** The error of a panel with too few members, by mode. */
export const tooFew: Readonly<Record<PanelMode, string>> = {
  compare: `Pick at least ${panelSize.least} configurations to compare.`,
  coordinate: 'Add a proposer, a critic and a synthesizer.',
}

/** Returns the draft as `startCoordination` takes it. */
export function toCoordinationInput(
  { ids, told, tools, hops, all, each }: CompareDraft,
  run: Pick<RunDraft, 'prompt' | 'files' | 'dataClass'>,
) {
  const costCap = capInput(each)
  const most = (tools.length > 0 && typedFigure(hops, parseCount)) || hopBudgets.usual
  const roleOf = (id: string, role: PanelRole) => ({
    configuration: id,
    costCap,
    instructions: told[role].trim() === '' ? null : told[role],
  })
  const [proposer = '', ...rest] = ids
  const synthesizer = rest.at(-1) ?? ''
  return {
    prompt: run.prompt,
    files: filesInput(run),
    tools: [...tools],
    costCap: capInput(all),
    proposer: { ...roleOf(proposer, 'proposer'), hops: most },
    critics: rest.slice(0, -1).map((id) => ({ ...roleOf(id, 'critic'), hops: most })),
    synthesizer: roleOf(synthesizer, 'synthesizer'),
  }
}

/** Returns the draft as `startPanel` takes it. */
export function toPanelInput(
  { ids, tools, hops, all, each, outputSchema }: CompareDraft,
  run: Pick<RunDraft, 'prompt' | 'files' | 'dataClass'>,
) {
  return {
    configurations: [...ids],
    prompt: run.prompt,
    files: filesInput(run),
    tools: [...tools],
    hops: (tools.length > 0 && typedFigure(hops, parseCount)) || hopBudgets.usual,
    costCap: capInput(all),
    memberCostCap: capInput(each),
    outputSchema: readSchema(outputSchema) ?? null,
  }
}

/** Returns what the server refused, beside the field that it is about. */
export function compareErrorsOf({ code, message, fields = {} }: ActionError): CompareErrors {
  const members = Object.entries(fields).flatMap(([field, sentence]) => {
    const place = /^configurations\.(\d+)$/.exec(field)?.[1]
    return place === undefined ? [] : [[place, sentence]]
  })
  const { costCap: all, memberCostCap: each, ...same } = fields
  const { configurations, prompt, files, tools, hops, outputSchema } = same
  const found = {
    configurations,
    prompt,
    files,
    tools,
    hops,
    all,
    each,
    outputSchema,
    members: members.length > 0 ? Object.fromEntries(members) : undefined,
  }
  if (Object.values(found).some(Boolean)) return found
  return { general: { message, signIn: code === 'unauthenticated' } }
}
