import type { ActionError } from '@/lib/kernel/action'
import { parseCount, typedFigure } from '@/lib/protocol/format'
import { hopBudgets, panelSize } from '@/lib/protocol/panel'
import {
  type CostCapDraft,
  capError,
  capInput,
  filesInput,
  noCap,
  type RunDraft,
  type RunDraftErrors,
} from '../run-draft'

/** The form's values for a panel, beside the prompt and the files. Texts of fields are as typed; "" = as usual. */
export type CompareDraft = {
  /** The ids of the configurations, in the order of the columns. */
  ids: readonly string[]
  /** The names of the tools that the members may have; none by default. */
  tools: readonly string[]
  hops: string
  /** The cost cap of all members together, and that of each. */
  all: CostCapDraft
  each: CostCapDraft
}

export const noCompare: CompareDraft = { ids: [], tools: [], hops: '', all: noCap, each: noCap }

export type CompareErrors = Pick<RunDraftErrors, 'prompt' | 'files' | 'general'> & {
  /** About the list of configurations. */
  configurations?: string
  /** By the places of the configurations. */
  members?: Record<string, string>
  tools?: string
  hops?: string
  all?: string
  each?: string
}

/** Returns the errors of the fields; empty when the panel can start. */
export function checkCompare(
  { ids, tools, hops, all, each }: CompareDraft,
  { prompt, files }: Pick<RunDraft, 'prompt' | 'files'>,
): CompareErrors {
  const errors: CompareErrors = {}
  if (prompt.trim() === '') errors.prompt = 'Enter a prompt first.'
  if (files === null)
    errors.files = 'Wait until each file is attached, or remove those that were refused.'
  if (ids.length < panelSize.least)
    errors.configurations = `Pick at least ${panelSize.least} configurations to compare.`
  const most = typedFigure(hops, parseCount)
  if (tools.length > 0 && most !== null && !(most >= 1 && most <= hopBudgets.most))
    errors.hops = `Enter a whole number from 1 to ${hopBudgets.most}.`
  const [ofAll, ofEach] = [capError(all), capError(each)]
  if (ofAll) errors.all = ofAll
  if (ofEach) errors.each = ofEach
  return errors
}

/** Returns the draft as `startPanel` takes it. */
export function toPanelInput(
  { ids, tools, hops, all, each }: CompareDraft,
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
  }
}

/** Returns what the server refused, beside the field that it is about. */
export function compareErrorsOf({ code, message, fields = {} }: ActionError): CompareErrors {
  const members = Object.entries(fields).flatMap(([field, sentence]) => {
    const place = /^configurations\.(\d+)$/.exec(field)?.[1]
    return place === undefined ? [] : [[place, sentence]]
  })
  const { configurations, prompt, files, tools, hops, costCap: all, memberCostCap: each } = fields
  const found = {
    ...{ configurations, prompt, files, tools, hops, all, each },
    members: members.length > 0 ? Object.fromEntries(members) : undefined,
  }
  if (Object.values(found).some(Boolean)) return found
  return { general: { message, signIn: code === 'unauthenticated' } }
}
