import { parseDocument } from 'yaml'
import { createTask } from '@/lib/domains/tasks/create-task'
import { deleteTask } from '@/lib/domains/tasks/delete-task'
import { findTask } from '@/lib/domains/tasks/find-task'
import { listTasks } from '@/lib/domains/tasks/list-tasks'
import { listTaskVersions, readTask } from '@/lib/domains/tasks/read-task'
import { readTaskDocument } from '@/lib/domains/tasks/read-task-document'
import { restoreTaskVersion } from '@/lib/domains/tasks/restore-task-version'
import { setTaskEnabled } from '@/lib/domains/tasks/set-task-enabled'
import { updateTask } from '@/lib/domains/tasks/update-task'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/protocol/clean-text'
import { diffTasks } from '@/lib/protocol/task-diff'
import { taskDocument } from '@/lib/protocol/task-form'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { printDiff } from './print-diff'
import { readFileOrInput } from './read-file-or-input'
import { type RunOptions, runAndFollow } from './run-and-follow'

export type RunTaskOptions = RunOptions & { configuration?: string; var?: string[] }
export type EditTaskOptions = CommonOptions & { note?: string }
export type SwitchTaskOptions = CommonOptions & { reason?: string }

const maxDocumentBytes = 512 * 1024
const pageSize = 200

export async function printTasks(options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { rows, total } = await listTasks(ctx, { page: 1, pageSize, sort: 'name' })
  if (options.json) return printJson(rows)
  printTable(
    ['IDENTIFIER', 'NAME', 'STATE', 'CONFIGURATION', 'VARIABLES', 'SKILLS', 'VERSION'],
    rows.map((task) => [
      task.identifier,
      task.name,
      task.enabled ? 'on' : 'off',
      task.configuration?.identifier ?? 'picked for each run',
      String(task.variables),
      String(task.skills),
      String(task.version),
    ]),
  )
  if (total > rows.length) printLine(`Showing the first ${rows.length} of ${total}.`)
}

/** Prints a task in the form that `add` and `edit` take. */
export async function printTask(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const task = await readTask(ctx, (await findTask(ctx, name)).id)
  if (options.json) return printJson(task)
  const { stringify } = await import('yaml')
  const text = stringify(taskDocument(task.form), { lineWidth: 0 })
  for (const line of text.trimEnd().split('\n')) printLine(visibleText(line))
}

/** Runs a task with values such as "name=value", each once. The value is everything after the first =. */
export async function runTask(name: string, options: RunTaskOptions): Promise<number> {
  const variables = new Map<string, string>()
  for (const pair of options.var ?? []) {
    const at = pair.indexOf('=')
    if (at < 1) throw new ValidationError({ var: 'Write --var name=value.' })
    const key = pair.slice(0, at)
    if (variables.has(key)) throw new ValidationError({ var: `--var ${key} is given twice.` })
    variables.set(key, pair.slice(at + 1))
  }
  const { configuration = '' } = options
  const asked = { configuration, task: name, variables: Object.fromEntries(variables) }
  return runAndFollow(asked, options)
}

export async function addTask(file: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const form = await readTaskDocument(ctx, await readDocument(file))
  const { id } = await createTask(ctx, form)
  if (options.json) return printJson({ id, identifier: form.identifier })
  printLine(`Added the task ${form.identifier} (${id}).`)
}

/** Shows what changes, and changes it. */
export async function editTask(
  name: string,
  file: string,
  options: EditTaskOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findTask(ctx, name)
  const before = await readTask(ctx, id)
  const form = await readTaskDocument(ctx, await readDocument(file))
  const { note = '' } = options
  const saved = await updateTask(ctx, id, form, { version: before.version, note })
  if (options.json) return printJson({ id, ...saved })
  if (!saved.changed)
    return printLine(`The task did not change. It is at version ${saved.version}.`)
  const after = await readTask(ctx, id)
  for (const each of diffTasks(before.form, after.form)) {
    printLine(`${each.label}:`)
    printDiff(`${each.before}\n`, `${each.after}\n`)
  }
  printLine(`The task is now at version ${saved.version}.`)
}

export async function switchTask(
  name: string,
  enabled: boolean,
  options: SwitchTaskOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const task = await findTask(ctx, name)
  const { reason = '' } = options
  const changed = await setTaskEnabled(ctx, task.id, enabled, { reason })
  if (options.json) return printJson({ ...task, enabled, changed })
  printLine(`${task.identifier} is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`)
}

export async function removeTask(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const task = await findTask(ctx, name)
  await deleteTask(ctx, task.id)
  if (options.json) return printJson({ ...task, deleted: true })
  printLine(`Deleted the task ${task.identifier}. Its runs stay.`)
}

export async function printVersions(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const versions = await listTaskVersions(ctx, (await findTask(ctx, name)).id)
  if (options.json) return printJson(versions)
  printTable(
    ['VERSION', 'WHEN', 'BY', 'CHANGED', 'NOTE'],
    versions.map((entry, index) => {
      const before = versions[index + 1]
      const fields = before ? diffTasks(before.form, entry.form).map(({ label }) => label) : []
      const { version, createdAt, createdByLabel, note } = entry
      return [String(version), createdAt, createdByLabel, fields.join(', '), note]
    }),
  )
}

export async function restoreVersion(
  name: string,
  version: number,
  options: CommonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const task = await findTask(ctx, name)
  const restored = await restoreTaskVersion(ctx, task.id, version)
  if (!restored.changed)
    throw new ConflictError(`${task.identifier} is already the same as version ${version}.`)
  if (options.json) return printJson({ ...task, restored: version, version: restored.version })
  printLine(`Restored version ${version} of ${task.identifier} as version ${restored.version}.`)
}

async function readDocument(file: string): Promise<unknown> {
  return readYaml(await readFileOrInput(file, maxDocumentBytes))
}

/** Parses YAML, or JSON, into plain values: no tags, no aliases, one document. ValidationError with one sentence. */
export function readYaml(bytes: Buffer): unknown {
  const document = parseDocument(bytes.toString('utf8'), {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    // A quieter one says nothing about a second document.
    logLevel: 'error',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem?.code === 'MULTIPLE_DOCS')
    throw new ValidationError({ file: 'It holds more than one YAML document.' })
  if (problem)
    throw new ValidationError({ file: `It is not valid YAML: ${problem.message.slice(0, 200)}.` })
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new ValidationError({ file: 'It uses an alias (*name). Write the value instead.' })
  }
}
