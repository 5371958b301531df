import type { Command } from 'commander'
import { toolsLeftWords } from '@/lib/domains/skills/shape'
import type { TaskInput } from '@/lib/domains/tasks/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/protocol/clean-text'
import type { TaskForm } from '@/lib/protocol/task-form'
import { command } from '../command'
import { wholeNumber } from '../common-options'
import { printLine, printTable } from '../print'
import { readFileOrInput } from '../read-input'
import type { RunOptions } from '../run-and-follow'
import { withRunOptions } from '../run-options'
import { terminal } from '../terminal'
import { orSayYes } from './skill-attachment'

const example = `
A task file has the form that "show" prints; - reads standard input.
  toolgate task run release-notes --var version=2.1 --var tone=dry
  toolgate task run check-bill --file bill.pdf
  toolgate task show release-notes > notes.yaml
  toolgate task edit release-notes notes.yaml --note 'Ask for a summary'`

const reads = () => import('@/lib/domains/tasks/reads')
const verbs = () => import('@/lib/domains/tasks/verbs')
const checkedVerbs = () => import('@/lib/toolset/task-verbs')
const differences = () => import('@/lib/domains/tasks/shape')

const nameOfTask = 'identifier or id of the task'
const args = { '<name>': nameOfTask }
const file = { '<file>': 'YAML or JSON; - reads standard input' }
const maxDocumentBytes = 512 * 1024
const pageSize = 200

export function addTaskCommands(program: Command): void {
  const task = program
    .command('task')
    .description('saved prompts with variables')
    .addHelpText('after', example)
  command(task, 'list', {
    description: 'list the tasks',
    work: async ({ ctx }) => {
      const { listTasks } = await reads()
      const { anyConfiguration } = await import('@/lib/domains/tasks/shape')
      const { rows, total } = await listTasks(ctx, { page: 1, pageSize, sort: 'name' })
      const lines = rows.map(({ configuration, ...row }) => [
        ...[row.identifier, row.name, row.enabled ? 'on' : 'off'],
        configuration?.identifier ?? anyConfiguration,
        ...[String(row.variables), String(row.skills), String(row.version)],
      ])
      const heads = 'IDENTIFIER NAME STATE CONFIGURATION VARIABLES SKILLS VERSION'.split(' ')
      return {
        json: rows,
        text: () => {
          printTable(heads, lines)
          if (total > rows.length) printLine(`Showing the first ${rows.length} of ${total}.`)
        },
      }
    },
  })
  command(task, 'show', {
    description: 'show a task in the form that "add" and "edit" read',
    args,
    work: async ({ ctx, args: [name] }) => {
      const { id } = await find(ctx, name)
      const found = await (await reads()).readTask(ctx, id)
      const { taskDocument } = await import('@/lib/protocol/task-form')
      const { stringify } = await import('yaml')
      const lines = stringify(taskDocument(found.form), { lineWidth: 0 }).trimEnd().split('\n')
      return { json: found, text: lines.map(visibleText).join('\n') }
    },
  })
  addRun(task)
  addChanges(task)
  addHistory(task)
}

type RunTaskOptions = RunOptions & { configuration?: string; var?: string[] }

function addRun(task: Command): void {
  withRunOptions(task.command('run'))
    .argument('<name>', nameOfTask)
    .option('--var <name=value>', 'value of a variable; repeat for each', collect)
    .option('--configuration <name>', 'configuration to use instead of its own (identifier or id)')
    .description('run a task, with the same exit codes as "toolgate run"')
    .action(async (name: string, options: RunTaskOptions) => {
      terminal().exitCode = await terminal().withInstallation(async () => {
        const { configuration = '' } = options
        const asked = { configuration, task: name, variables: valuesOf(options.var) }
        const { runAndFollow } = await import('../run-and-follow')
        return runAndFollow(asked, options)
      })
    })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** Reads "name=value", each name once; the value is everything behind the first =. */
function valuesOf(pairs: string[] = []): Record<string, string> {
  const values = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new ValidationError({ var: 'Write --var name=value.' })
    const key = pair.slice(0, at)
    if (values.has(key)) throw new ValidationError({ var: `--var ${key} is given twice.` })
    values.set(key, pair.slice(at + 1))
  }
  return Object.fromEntries(values)
}

const withYes = (made: Command) => made.option('--yes', 'also when its skills leave no tool')

function addChanges(task: Command): void {
  command<{ yes?: boolean }>(task, 'add', {
    description: 'add a task',
    args: file,
    options: withYes,
    work: async ({ ctx, args: [path], options: { yes } }) => {
      const form = await readDocument(ctx, path)
      const { addTask } = await checkedVerbs()
      const { id, tools } = await orSayYes(() => addTask(ctx, { ...form, confirmed: yes }))
      const { identifier } = form
      const text = () => {
        printLine(`Added the task ${identifier} (${id}).`)
        if (form.skills?.length) printLine(visibleText(toolsLeftWords(tools)))
      }
      return { json: { id, identifier, tools }, text }
    },
  })
  command<{ note?: string; yes?: boolean }>(task, 'edit', {
    description: 'change a task to match the file, as a new version',
    args: { ...args, ...file },
    options: (made) => withYes(made.option('--note <text>', 'note for its history')),
    work: async ({ ctx, args: [name, path], options: { note, yes: confirmed } }) => {
      const { readTask } = await reads()
      const before = await readTask(ctx, (await find(ctx, name)).id)
      const { id, version } = before
      const form = await readDocument(ctx, path)
      const { editTask } = await checkedVerbs()
      const asked = { ...form, taskId: id, version, note, confirmed }
      const saved = await orSayYes(() => editTask(ctx, asked))
      const text = saved.changed
        ? async () => {
            await printChange(before.form, await readTask(ctx, id))
            if (form.skills?.length) printLine(visibleText(toolsLeftWords(saved.tools)))
          }
        : `The task did not change. It is at version ${saved.version}.`
      return { json: { id, ...saved }, text }
    },
  })
  for (const [name, enabled, description, reason] of [
    ['enable', true, 'switch a task on', 'reason'],
    ['disable', false, 'switch a task off; active runs continue', 'reason (required)'],
  ] as const) {
    command<{ reason?: string }>(task, name, {
      description,
      args,
      options: (made) => made.option('--reason <text>', reason),
      work: async ({ ctx, args: [asked], options }) => {
        const found = await find(ctx, asked)
        const { setTaskEnabled } = await verbs()
        const input = { taskId: found.id, enabled, reason: options.reason }
        const changed = await setTaskEnabled(ctx, input)
        const text = `${found.identifier} is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`
        return { json: { ...found, enabled, changed }, text }
      },
    })
  }
  command(task, 'delete', {
    alias: 'remove',
    description: 'delete a task and its versions; its runs stay',
    args,
    work: async ({ ctx, args: [name] }) => {
      const found = await find(ctx, name)
      await (await verbs()).deleteTask(ctx, { taskId: found.id })
      const text = `Deleted the task ${found.identifier}. Its runs stay.`
      return { json: { ...found, deleted: true }, text }
    },
  })
}

function addHistory(task: Command): void {
  command(task, 'versions', {
    description: 'list what changed, when and by whom',
    args,
    work: async ({ ctx, args: [name] }) => {
      const { id } = await find(ctx, name)
      const versions = await (await reads()).listTaskVersions(ctx, id)
      const { diffTasks } = await differences()
      const lines = versions.map((entry, index) => {
        const before = versions[index + 1]
        const fields = before ? diffTasks(before.form, entry.form).map(({ label }) => label) : []
        const { version, createdAt, createdByLabel, note } = entry
        return [String(version), createdAt, createdByLabel, fields.join(', '), note]
      })
      const heads = ['VERSION', 'WHEN', 'BY', 'CHANGED', 'NOTE']
      return { json: versions, text: () => printTable(heads, lines) }
    },
  })
  command(task, 'restore', {
    description: 'restore an old version as a new version',
    args,
    options: (made) =>
      made.argument('<version>', 'a version that "versions" lists', wholeNumber(1, 1_000_000)),
    work: async ({ ctx, args: [name, asked] }) => {
      const found = await find(ctx, name)
      const { identifier } = found
      const restored = Number(asked)
      const { restoreTaskVersion } = await verbs()
      const input = { taskId: found.id, version: restored }
      const { version, changed } = await restoreTaskVersion(ctx, input)
      if (!changed)
        throw new ConflictError(`${identifier} is already the same as version ${restored}.`)
      const text = `Restored version ${restored} of ${identifier} as version ${version}.`
      return { json: { ...found, restored, version }, text }
    },
  })
}

async function find(ctx: Ctx, name = ''): Promise<{ id: string; identifier: string }> {
  return (await reads()).findTask(ctx, name)
}

async function readDocument(ctx: Ctx, path = ''): Promise<TaskInput> {
  const bytes = await readFileOrInput(path, maxDocumentBytes)
  const { readYaml } = await import('../read-yaml')
  return (await reads()).readTaskDocument(ctx, readYaml(bytes))
}

/** Prints what a task became, field by field. */
async function printChange(
  before: TaskForm,
  { form, version }: { form: TaskForm; version: number },
): Promise<void> {
  const { diffTasks } = await differences()
  const { printDiff } = await import('../print-diff')
  for (const each of diffTasks(before, form)) {
    printLine(`${each.label}:`)
    printDiff(`${each.before}\n`, `${each.after}\n`)
  }
  printLine(`The task is now at version ${version}.`)
}
