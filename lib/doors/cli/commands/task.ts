import type { Command } from 'commander'
import { toolsLeftWords } from '@/lib/domains/skills/shape'
import { type TaskInput, tasks } from '@/lib/domains/tasks/shape'
import { panelKindWords } from '@/lib/domains/tasks/shared/panel-of-task'
import type { RunOptions } from '@/lib/doors/cli/runs/run-and-follow'
import { withRunOptions } from '@/lib/doors/cli/runs/run-options'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/words/clean-text'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { commandSpec, oneOf } from '../resource-commands'
import { documentArgument, printDocument, readDocument } from '../resource-documents'
import { terminal } from '../terminal'
import { addVersionCommands, printDifferences } from '../version-commands'
import { orSayYes } from './skill-attachment'

const example = `
A task file has the form that "show" prints; - reads standard input.
  toolgate task run release-notes --var version=2.1 --var tone=dry
  toolgate task run check-bill --file bill.pdf
  toolgate task show release-notes > notes.yaml
  toolgate task edit release-notes notes.yaml --note 'Ask for a summary'`

const load = async () => (await import('@/lib/domains/tasks/verbs')).taskVerbs
const checkedVerbs = () => import('@/lib/joined-verbs')

const named = oneOf(tasks)

export const taskCommands = commandSpec(tasks, {
  example,
  words: {
    show: 'show a task in the form that "add" and "edit" read',
    add: null,
    edit: null,
    delete: 'delete a task and its versions; its runs stay',
  },
  columns: {
    CONFIGURATION: ({ configuration }) => configuration?.name ?? tasks.fields.configurationId.none,
    VARIABLES: ({ variables }) => String(variables.length),
    'RUNS AS': ({ panel }) => panelKindWords(panel),
    SKILLS: ({ skills }) => String(skills.length),
    VERSION: ({ version }) => String(version),
  },
  show: (detail) => printDocument(tasks.fields, { ...detail }),
  further: addFurther,
})

function addFurther(task: Command): void {
  addRun(task)
  addChanges(task)
  addShipped(task)
  addVersionCommands(task, tasks, load)
}

type RunTaskOptions = RunOptions & { configuration?: string; var?: string[] }

function addRun(task: Command): void {
  withRunOptions(task.command('run'))
    .argument('<task>', 'identifier or id of the task')
    .option('--var <name=value>', 'value of a variable; repeat for each', collect)
    .option('--configuration <name>', 'configuration to use instead of its own (identifier or id)')
    .description('run a task, as a run or as its panel, with the exit codes of "toolgate run"')
    .action(async (name: string, options: RunTaskOptions) => {
      terminal().exitCode = await terminal().withInstallation(async () => {
        const { configuration = '' } = options
        const input = { configuration, task: name, variables: readValues(options.var) }
        const { runAndFollow } = await import('@/lib/doors/cli/runs/run-and-follow')
        return (await isPanel(name, options))
          ? runPanel(input, options)
          : runAndFollow(input, options)
      })
    })
}

async function isPanel(task: string, { as }: RunTaskOptions): Promise<boolean> {
  const { actingCtx } = await import('../acting-ctx')
  const { readRunnableTask } = await import('@/lib/joined-verbs')
  return (await readRunnableTask(await actingCtx(as), { task })).panel !== null
}

const ofRunsAlone = ['tools', 'maxRounds', 'costCap', 'outputSchema'] as const
type TaskRun = { configuration: string; task: string; variables: Record<string, string> }

/** Starts the panel of a task and follows it to its end. */
async function runPanel(input: TaskRun, options: RunTaskOptions): Promise<number> {
  for (const name of ofRunsAlone) {
    if (options[name] === undefined) continue
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    throw new ValidationError({
      [name]: `This task runs as a panel, which says itself what ${option} would. Leave it out.`,
    })
  }
  const { actingCtx } = await import('../acting-ctx')
  const { followAndPrint } = await import('@/lib/doors/cli/runs/follow-panel')
  const { uploadAll, withEngine } = await import('@/lib/doors/cli/runs/run-and-follow')
  const { startTask } = await import('@/lib/runs/start/start-task')
  const ctx = await actingCtx(options.as)
  return withEngine(async () => {
    const files = await uploadAll(ctx, options)
    const { panelId } = await startTask(ctx, { ...input, files })
    return followAndPrint(ctx, panelId ?? '', options)
  })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** Reads "name=value", each name once; the value is everything behind the first =. */
export function readValues(pairs: readonly string[] = []): Record<string, string> {
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

/** Adds the commands for the tasks that come with Toolgate. */
function addShipped(task: Command): void {
  const verbs = () => import('@/lib/domains/tasks/shipped')
  command(task, 'shipped', {
    description: 'list the tasks that come with Toolgate',
    work: async ({ ctx }) => {
      const shipped = await (await verbs()).listShippedTasks(ctx, {})
      const rows = shipped.map(({ identifier, name, isAdded }) => [
        identifier,
        name,
        isAdded ? 'yes' : 'no',
      ])
      const text = () => printTable(['IDENTIFIER', 'NAME', 'ADDED'], rows)
      return { json: shipped, text }
    },
  })
  command(task, 'add-shipped', {
    description: 'add one of the tasks that come with Toolgate',
    args: { '<identifier>': 'its identifier, as "shipped" lists it' },
    work: async ({ ctx, args: [identifier = ''] }) => {
      const { addShippedTask, ShippedIdentifier } = await verbs()
      const named = ShippedIdentifier.safeParse(identifier)
      if (!named.success)
        throw new ValidationError({
          identifier: `Name one of ${ShippedIdentifier.options.join(', ')}.`,
        })
      const { id } = await addShippedTask(ctx, { identifier: named.data })
      return { json: { id, identifier }, text: `Added the task ${identifier} (${id}).` }
    },
  })
}

const withYes = (made: Command) => made.option('--yes', 'also when its skills leave no tool')

function addChanges(task: Command): void {
  command<{ yes?: boolean }>(task, 'add', {
    description: 'add a task',
    args: documentArgument,
    options: withYes,
    work: async ({ ctx, args: [path], options: { yes } }) => {
      const form = await readTask(ctx, path)
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
    args: { ...named, ...documentArgument },
    options: (made) => withYes(made.option('--note <text>', 'note for its history')),
    work: async ({ ctx, args: [nameOrId = '', path], options: { note, yes: confirmed } }) => {
      const { read } = await load()
      const before = await read(ctx, { id: nameOrId })
      const { id, version } = before
      const form = await readTask(ctx, path)
      const { editTask } = await checkedVerbs()
      const change = { ...form, id, version, reason: note, confirmed }
      const saved = await orSayYes(() => editTask(ctx, change))
      const text = saved.changed
        ? async () => {
            const { differencesOf } = await import('@/lib/shape/resource-differences')
            await printDifferences(differencesOf(tasks, before, await read(ctx, { id })))
            printLine(`The task is now at version ${saved.version}.`)
            if (form.skills?.length) printLine(visibleText(toolsLeftWords(saved.tools)))
          }
        : `The task did not change. It is at version ${saved.version}.`
      return { json: { id, ...saved }, text }
    },
  })
}

/** Returns the whole task that a file says. What it leaves out has its default value; the switch stays as it is. */
async function readTask(ctx: Ctx, path?: string): Promise<TaskInput> {
  const said = await readDocument(ctx, tasks.fields, path)
  const { parseInput } = await import('@/lib/kernel/parse-input')
  const { enabled, ...form } = parseInput(tasks.Create.strict(), said)
  return 'enabled' in said ? { ...form, enabled } : form
}
