import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import type { RunnableTask } from '@toolgate/server/domains/tasks/schemas'
import { needsConfiguration } from '@/lib/domains/tasks/shared/panel-of-task'
import { renderTask } from '@/lib/domains/tasks/shared/task-values'
import { schemaProblems } from '@/lib/json-schema/output-schema'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { readSchema, schemaText } from '@/lib/protocol/parameters/parameters'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { DataClass, Role, RunFile } from '@/lib/protocol/tool'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { firstWords } from '@/lib/words/clean-text'
import { formatCount, parseCount, parseUsd, typedFigure, usdText } from '@/lib/words/format'
import {
  type ChangeErrors,
  type ChangesDraft,
  changeErrors,
  changesInput,
  changesOf,
  noChanges,
} from './run-changes'
import { type PickableTool, type Picked, pickedNames } from './tool-selection'

/** An uploaded file. `dataClass`: its class in the run that is started again. */
export type DraftFile = Pick<RunFile, 'id' | 'name' | 'type' | 'bytes'> & {
  dataClass?: DataClass | null
  pages?: number | null
  /** Places of characters that people do not see. */
  hidden?: string | null
}

/** One class for all files; '' = the highest that the configuration allows, `own` = each its own. */
export type FilesClass = FileDataClass | '' | 'own'

/** The form's values. `maxRounds` is the field's text; "" = the configuration's value. */
export type RunDraft = CostCapDraft & {
  configurationId: string | null
  picked: Picked
  maxRounds: string
  /** JSON text; absent or empty = the schema from the task or the configuration, if one has it. */
  outputSchema?: string
  prompt: string
  /** Runs instead of the prompt, with `values` for its variables; null = no task is picked. */
  task: RunnableTask | null
  values: Record<string, string>
  /** Null = a file is still being uploaded, or was refused. */
  files: readonly DraftFile[] | null
  dataClass: FilesClass
  /** The run whose conversation goes on; absent or null = a new one begins. */
  continues?: NamedRun | null
  /** Overrides of the configuration; absent: none. */
  changes?: ChangesDraft
  /** The run that it is, with a change; absent or null = none. */
  changedFrom?: NamedRun | null
}

/** A run that ended, and the first words of its prompt; null = they are not known. */
type NamedRun = { runId: string; title: string | null }

/** The task that is picked, and the values of its variables. */
export type ChosenTask = Pick<RunDraft, 'task' | 'values'>

export const noTask: ChosenTask = { task: null, values: {} }

export const noFiles: Pick<RunDraft, 'files' | 'dataClass'> = { files: [], dataClass: '' }

export type RunDraftErrors = {
  configuration?: string
  prompt?: string
  files?: string
  /** By the names of the task's variables. */
  variables?: Record<string, string>
  maxRounds?: string
  costCap?: string
  outputSchema?: string
  changes?: ChangeErrors
  /** An error of no field. `signIn`: the session is over. */
  general?: { message: string; signIn: boolean }
}

/** Returns the most rounds this role may ask for. A member cannot exceed the configuration's value (SPEC R3). */
export function mostRounds(
  role: Role,
  configuration: ConfigurationListing | null,
  siteMost: number,
): number {
  return role === 'admin' || !configuration ? siteMost : Math.min(siteMost, configuration.maxRounds)
}

/** Returns the errors of the form's fields; empty when the run can start. `most`: the largest number of rounds. */
export function checkRunDraft(draft: RunDraft, most: number): RunDraftErrors {
  const errors: RunDraftErrors = {}
  const { task, values, prompt } = draft
  const { panel = null } = task ?? {}
  if (draft.configurationId === null && needsConfiguration(panel))
    errors.configuration = 'Pick a configuration.'
  Object.assign(errors, task ? checkTask(task, values) : checkPrompt(prompt))
  if (draft.files === null) {
    errors.files = 'Wait for the files, or remove refused ones.'
  }
  // The task sets the fields below.
  if (panel !== null) return errors
  const rounds = typedFigure(draft.maxRounds, parseCount)
  if (rounds !== null && !(rounds >= 1 && rounds <= most)) {
    errors.maxRounds = `Enter a whole number from 1 to ${most}.`
  }
  const cap = capError(draft)
  if (cap) errors.costCap = cap
  const problem = schemaError(draft.outputSchema ?? '')
  if (problem) errors.outputSchema = problem
  const changes = changeErrors(draft.changes)
  if (changes) errors.changes = changes
  return errors
}

function checkPrompt(prompt: string): RunDraftErrors {
  const prompted = promptError(prompt)
  return prompted ? { prompt: prompted } : {}
}

/** Returns what is wrong with a prompt; null = nothing. */
export function promptError(prompt: string): string | null {
  if (prompt.trim() === '') return 'Enter a prompt first.'
  if (prompt.length <= maxPromptCharacters) return null
  return `The prompt has ${formatCount(prompt.length)} characters, and may have ${formatCount(maxPromptCharacters)}. Shorten it, or attach the text as a file.`
}

function checkTask(task: RunnableTask, values: Record<string, string>): RunDraftErrors {
  const made = renderTask(task, values)
  if (made.type === 'rendered') return {}
  const { '': prompt, ...variables } = Object.fromEntries(made.errors)
  return {
    ...(prompt && { prompt }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

/** Returns the draft as `runPrompt` takes it. */
export function toInput(draft: RunDraft, tools: readonly PickableTool[]) {
  return {
    configuration: draft.configurationId ?? '',
    ...(draft.task ? { task: draft.task.id, variables: draft.values } : { prompt: draft.prompt }),
    tools: pickedNames(tools, draft.picked),
    maxRounds: typedFigure(draft.maxRounds, parseCount),
    costCap: capInput(draft),
    outputSchema: readSchema(draft.outputSchema ?? '') ?? null,
    ...(draft.continues && { continues: draft.continues.runId }),
    overrides: changesInput(draft.changes),
    changedFrom: draft.changedFrom?.runId ?? null,
    ...(draft.files?.length && { files: filesInput(draft) }),
  }
}

/** Returns the input of a task that is a panel, which has tools and limits of its own. */
export function panelInput(draft: RunDraft) {
  return {
    configuration: draft.task?.panel?.kind === 'confer' ? '' : (draft.configurationId ?? ''),
    task: draft.task?.id ?? '',
    variables: draft.values,
    ...(draft.files?.length && { files: filesInput(draft) }),
  }
}

/** Returns the files as a start takes them. */
export function filesInput({ files, dataClass }: Pick<RunDraft, 'files' | 'dataClass'>) {
  return (files ?? []).map((file) => fileInput(file, dataClass))
}

function fileInput({ id, dataClass: own }: DraftFile, dataClass: FilesClass) {
  const wanted = FileDataClass.safeParse(dataClass === 'own' ? own : dataClass).data
  return { id, ...(wanted && { dataClass: wanted }) }
}

/** Returns the draft that starts the same run again. The run-start event names every tool that was asked for. */
export function runDraftOf(
  start: RunEventOf<'run-start'>['data'],
  tools: readonly PickableTool[],
  task: ChosenTask,
): RunDraft {
  const { snapshot, accepted, rejected, files = [] } = start
  const requested = [...accepted, ...rejected].map(({ name }) => name)
  return {
    configurationId: snapshot.configurationId,
    picked: tools.every(({ name }) => requested.includes(name)) ? null : requested,
    maxRounds: String(snapshot.maxRounds),
    ...capOf(snapshot),
    ...(snapshot.options && { outputSchema: schemaText(snapshot.options.outputSchema) }),
    prompt: task.task ? '' : start.prompt,
    ...task,
    files,
    dataClass: commonClass(files),
    continues: start.continues === undefined ? null : { runId: start.continues, title: null },
    changes: changesOf(start),
    changedFrom: start.changedFrom === undefined ? null : { runId: start.changedFrom, title: null },
  }
}

/** Returns the draft of the next turn after a run. */
export function nextTurnOf(
  runId: string,
  start: RunEventOf<'run-start'>['data'],
  tools: readonly PickableTool[],
): RunDraft {
  const continues = { runId, title: firstWords(start.prompt) }
  return {
    ...runDraftOf(start, tools, noTask),
    prompt: '',
    ...noFiles,
    continues,
    changes: noChanges,
    changedFrom: null,
  }
}

/** Returns the draft of a run again, for a change of it. */
export function changedDraftOf(
  runId: string,
  start: RunEventOf<'run-start'>['data'],
  tools: readonly PickableTool[],
  task: ChosenTask,
): RunDraft {
  return {
    ...runDraftOf(start, tools, task),
    changedFrom: { runId, title: firstWords(start.prompt) },
  }
}

function commonClass(files: readonly RunFile[]): FilesClass {
  const [first] = files
  if (!first) return ''
  const same = files.every(({ dataClass }) => dataClass === first.dataClass)
  return same ? (FileDataClass.safeParse(first.dataClass).data ?? '') : 'own'
}

/** The form's values for a run's own cost cap: the field's text in dollars, "" = none. */
export type CostCapDraft = { costCap: string; costCapMode: 'enforce' | 'warn' }

export const noCap: CostCapDraft = { costCap: '', costCapMode: 'warn' }

/** Returns what is wrong with the field's text; null = it is valid. */
export function capError({ costCap }: CostCapDraft): string | null {
  if (costCap.trim() === '') return null
  const figure = parseUsd(costCap)
  return figure === null || figure === 0 ? 'Enter US dollars such as 0.50.' : null
}

/** Returns what is wrong with the text of an answer schema; null = it is valid, or empty. */
export function schemaError(text: string): string | null {
  const schema = readSchema(text)
  if (schema === undefined) return 'Write a JSON object.'
  return (schema && schemaProblems(schema)[0]) ?? null
}

/** Returns the cap as `runPrompt` takes it; null = none. */
export function capInput({ costCap, costCapMode: mode }: CostCapDraft) {
  const limitMicroUsd = costCap.trim() === '' ? null : parseUsd(costCap)
  return limitMicroUsd === null ? null : { mode, limitMicroUsd }
}

/** Returns the cap that a run was started with, as the form holds it. */
export function capOf({ costCaps }: RunSnapshot): CostCapDraft {
  const own = costCaps.find(({ scope }) => scope === 'run')
  return own ? { costCap: usdText(own.limitMicroUsd), costCapMode: own.mode } : noCap
}
