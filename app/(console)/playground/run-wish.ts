import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { parseCount, typedFigure } from '@/lib/protocol/codecs'
import { readSchema, schemaText } from '@/lib/protocol/option-descriptors'
import { schemaProblems } from '@/lib/protocol/output-schema'
import { renderTask } from '@/lib/protocol/render-task'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { FileDataClass, type RunFile } from '@/lib/protocol/run-file'
import type { DataClass, Role } from '@/lib/protocol/tool'
import type { RunnableTask } from '@/lib/tasks/schemas'
import { type CapWish, capError, capInput, capOf } from './cost-cap-wish'
import { type PickableTool, type Picked, pickedNames } from './tool-selection'

/** A file that is on the server. `dataClass`: the one it had in the run that is started again. */
export type WishFile = Pick<RunFile, 'id' | 'name' | 'type' | 'bytes'> & {
  dataClass?: DataClass | null
  pages?: number | null
}

/** One class for all files; '' = the highest that the configuration allows, `own` = each its own. */
export type FilesClass = FileDataClass | '' | 'own'

/** What the form holds. `maxRounds` is the field's text; "" = as configured. */
export type RunWish = CapWish & {
  configurationId: string | null
  picked: Picked
  maxRounds: string
  /** JSON text; absent or empty = the schema from the task or the configuration, if one has it. */
  outputSchema?: string
  prompt: string
  /** Runs instead of the prompt, with these values of its variables; null = none is picked. */
  task: RunnableTask | null
  values: Record<string, string>
  /** Null = some are not attached yet, or were refused. */
  files: readonly WishFile[] | null
  dataClass: FilesClass
}

/** What a task is run with. */
export type TaskWish = Pick<RunWish, 'task' | 'values'>

export const noTask: TaskWish = { task: null, values: {} }

export const noFiles: Pick<RunWish, 'files' | 'dataClass'> = { files: [], dataClass: '' }

export type WishErrors = {
  configuration?: string
  prompt?: string
  files?: string
  /** By the names of the task's variables. */
  variables?: Record<string, string>
  maxRounds?: string
  costCap?: string
  outputSchema?: string
  /** About the whole: `signIn` when the session is over. */
  general?: { message: string; signIn: boolean }
}

const roundLimit = 50

/** SPEC R3: a member stays within the configuration's value. */
export function mostRounds(role: Role, configuration: ConfigurationListing | null): number {
  return role === 'admin' || !configuration
    ? roundLimit
    : Math.min(roundLimit, configuration.maxRounds)
}

export function checkWish(wish: RunWish, most: number): WishErrors {
  const errors: WishErrors = {}
  if (wish.configurationId === null) errors.configuration = 'Pick a configuration.'
  Object.assign(errors, wish.task ? checkTask(wish.task, wish.values) : checkPrompt(wish.prompt))
  if (wish.files === null) {
    errors.files = 'Wait until each file is attached, or remove those that were refused.'
  }
  const rounds = typedFigure(wish.maxRounds, parseCount)
  if (rounds !== null && !(rounds >= 1 && rounds <= most)) {
    errors.maxRounds = `Enter a whole number from 1 to ${most}.`
  }
  const cap = capError(wish)
  if (cap) errors.costCap = cap
  const schema = readSchema(wish.outputSchema ?? '')
  const problem =
    schema === undefined ? 'Write a JSON object.' : schema && schemaProblems(schema)[0]
  if (problem) errors.outputSchema = problem
  return errors
}

function checkPrompt(prompt: string): WishErrors {
  return prompt.trim() === '' ? { prompt: 'Enter a prompt first.' } : {}
}

function checkTask(task: RunnableTask, values: Record<string, string>): WishErrors {
  const made = renderTask(task, values)
  if (made.type === 'rendered') return {}
  const { '': prompt, ...variables } = Object.fromEntries(made.errors)
  return {
    ...(prompt && { prompt }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

/** The wish as the server takes it. */
export function toInput(wish: RunWish, tools: readonly PickableTool[]) {
  return {
    configuration: wish.configurationId ?? '',
    ...(wish.task ? { task: wish.task.id, variables: wish.values } : { prompt: wish.prompt }),
    tools: pickedNames(tools, wish.picked),
    maxRounds: typedFigure(wish.maxRounds, parseCount),
    costCap: capInput(wish),
    outputSchema: readSchema(wish.outputSchema ?? '') ?? null,
    ...(wish.files?.length && { files: wish.files.map((file) => fileInput(file, wish)) }),
  }
}

function fileInput({ id, dataClass: own }: WishFile, { dataClass }: RunWish) {
  const wanted = FileDataClass.safeParse(dataClass === 'own' ? own : dataClass).data
  return { id, ...(wanted && { dataClass: wanted }) }
}

/** What a run was started with, to start it again. Its first event names every tool that was asked for. */
export function wishOf(
  start: RunEventOf<'run-start'>['data'],
  tools: readonly PickableTool[],
  task: TaskWish,
): RunWish {
  const { snapshot, accepted, rejected, files = [] } = start
  const asked = [...accepted, ...rejected].map(({ name }) => name)
  return {
    configurationId: snapshot.configurationId,
    picked: tools.every(({ name }) => asked.includes(name)) ? null : asked,
    maxRounds: String(snapshot.maxRounds),
    ...capOf(snapshot),
    ...(snapshot.options && { outputSchema: schemaText(snapshot.options.outputSchema) }),
    prompt: task.task ? '' : start.prompt,
    ...task,
    files,
    dataClass: commonClass(files),
  }
}

function commonClass(files: readonly RunFile[]): FilesClass {
  const [first] = files
  if (!first) return ''
  const same = files.every(({ dataClass }) => dataClass === first.dataClass)
  return same ? (FileDataClass.safeParse(first.dataClass).data ?? '') : 'own'
}
