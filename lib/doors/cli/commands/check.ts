import { type Command, Option } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { assertionText } from '@/lib/protocol/check/check-words'
import { proposeAssertions } from '@/lib/protocol/check/propose-assertions'
import type { ToolSource } from '@/lib/protocol/run/fork'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { wholeNumber } from '../input/common-options'
import { readFileOrInput } from '../input/read-input'
import { readYaml } from '../input/read-yaml'
import { cutLine, printLine, printTable } from '../print'
import { terminal } from '../terminal'
import { addCheckFileCommands } from './check-file'
import { withSource } from './run-fork'

const verbs = () => import('@/lib/domains/checks/verbs')

const maxBytes = 1024 * 1024
const one = { '<check>': 'name or id of the check' }

const example = `
Exit codes of check run:
  0 passed   1 failed   2 wrong usage   4 not run   130 stopped

Examples:
  toolgate check add --from-run 0199a1b2-… --name 'Reads the log first'
  toolgate check edit 'Reads the log first' --judge fast --rubric 'The answer names the cause.'
  toolgate check run 'Reads the log first' --live
  toolgate check run 'Reads the log first' --configuration openai gemini --junit checks.xml`

type WrittenOptions = {
  description?: string
  assertions?: string
  tries?: number
  passes?: number
  group?: string[] | false
  suite?: string[] | false
  judge?: string
  rubric?: string
}
type AddOptions = WrittenOptions & { fromRun: string; name: string }
type EditOptions = WrittenOptions & {
  name?: string
  prompt?: string
  configuration?: string
  source?: Record<string, ToolSource>
}
type RunOptions = {
  configuration?: string[]
  live?: boolean
  recorded?: boolean
  junit?: string
  idempotencyKey?: string
}

/** Adds the commands for saved runs that are run again as tests. */
export function addCheckCommands(program: Command): void {
  const check = program
    .command('check')
    .description('saved runs that are run again as tests')
    .addHelpText('after', example)
  addList(check)
  addShow(check)
  command<AddOptions>(check, 'add', {
    description:
      'save a run that ended as a check; assertions that are not given are those that the run proposes',
    options: (made) =>
      withWritten(
        made
          .requiredOption('--from-run <run>', 'id of the run')
          .requiredOption('--name <name>', 'its name'),
      ),
    work: async ({ ctx, options: { fromRun: runId, name, ...written } }) => {
      const { saveCheck } = await import('@/lib/runs/checks/save-check')
      const fields = await fieldsOf(written, async () => proposedBy(ctx, runId))
      const saved = await saveCheck(ctx, { runId, name, ...fields } as Parameters<
        typeof saveCheck
      >[1])
      return { json: saved, text: () => printCheck(saved) }
    },
  })
  command<EditOptions>(check, 'edit', {
    description: 'change a check; options you leave out keep their value',
    args: one,
    reason: true,
    options: (made) =>
      withWritten(made)
        .option('--name <name>', 'another name')
        .option('--prompt <text>', 'another prompt')
        .option('--configuration <name>', 'another configuration (identifier or id)')
        .option(
          '--source <tool=source>',
          'results of a tool: live calls it in live mode, also where it writes; refused fails its calls, fixed:TEXT returns the text (repeatable; replaces all)',
          withSource,
        ),
    work: async ({ ctx, args: [id = ''], options }) => {
      const { updateCheck } = await import('@/lib/joined-verbs')
      const { name, prompt, configuration, source: sources, reason, ...written } = options
      const stored = async () => (await (await verbs()).readCheck(ctx, { id })).assertions
      const fields = { name, prompt, configuration, sources, ...(await fieldsOf(written, stored)) }
      const given = { id, reason, ...fields } as Parameters<typeof updateCheck>[1]
      const saved = await updateCheck(ctx, given)
      return { json: saved, text: () => printCheck(saved) }
    },
  })
  command(check, 'delete', {
    alias: 'remove',
    description: 'delete a check with its results',
    args: one,
    reason: true,
    work: async ({ ctx, args: [id = ''], options: { reason } }) => {
      await (await verbs()).deleteCheck(ctx, { id, reason })
      return { json: { id, removed: true }, text: 'Deleted the check.' }
    },
  })
  addRun(check)
  addSuites(check)
  addCheckFileCommands(check)
}

function addSuites(check: Command): void {
  command(check, 'suites', {
    description: 'list the suites of checks with their newest runs',
    work: async ({ ctx }) => {
      const { listSuites } = await import('@/lib/runs/checks/read-check-runs')
      const { suites } = await listSuites(ctx, {})
      const text = () => {
        if (suites.length === 0)
          printLine('No check is in a suite. Add one with check edit --suite.')
        else
          printTable(
            ['SUITE', 'CHECKS', 'LAST', 'AT'],
            suites.map(({ name, checks, last }) => [
              cutLine(visibleText(name)),
              String(checks),
              last ? (last.verdict ?? 'running') : '',
              last?.createdAt ?? '',
            ]),
          )
      }
      return { json: suites, text }
    },
  })
}

function addList(check: Command): void {
  command<{ search?: string }>(check, 'list', {
    description: 'list the checks that you may see',
    options: (made) => made.option('--search <text>', 'a part of the name, description or prompt'),
    work: async ({ ctx, options: { search } }) => {
      const { checks, total } = await (await verbs()).listChecks(ctx, { search, pageSize: 200 })
      return {
        json: checks,
        text: () => {
          printTable(
            ['NAME', 'CONFIGURATION', 'ASSERTIONS', 'LAST', 'BY', 'ID'],
            checks.map(({ id, name, configuration, assertionCount, last, createdByLabel }) => [
              cutLine(visibleText(name)),
              configuration.name,
              String(assertionCount),
              last ? (last.verdict ?? 'running') : '',
              createdByLabel,
              id,
            ]),
          )
          if (total > checks.length) printLine(`Showing ${checks.length} of ${total}.`)
        },
      }
    },
  })
}

function addShow(check: Command): void {
  command(check, 'show', {
    description: 'show a check: what it asserts, and what it recorded',
    args: one,
    work: async ({ ctx, args: [id = ''] }) => {
      const found = await (await verbs()).readCheck(ctx, { id })
      return { json: found, text: () => printCheck(found) }
    },
  })
}

function addRun(check: Command): void {
  command<RunOptions>(check, 'run', {
    description: 'run a check, or all checks of a suite, wait for the end, and say what is red',
    args: { '<check>': 'name or id of a check, or name of a suite' },
    options: (made) =>
      made
        .option('--configuration <name...>', 'configurations in place of its own')
        .addOption(
          new Option('--recorded', 'tools give recorded results (the default)').conflicts('live'),
        )
        .option(
          '--live',
          'tools are called, but those that write stay recorded unless the check says otherwise',
        )
        .option('--junit <file>', 'write the results there as JUnit XML')
        .option(
          '--idempotency-key <key>',
          'repeated with the same key, it follows what it began instead of running it again',
        ),
    work: async ({ ctx, args: [id = ''], options, isJson }) => {
      const begin = await runOf(ctx, id)
      const { withEngine } = await import('@/lib/doors/cli/runs/run-and-follow')
      const follow = await import('@/lib/doors/cli/runs/follow-check')
      const { configuration: configurations, live, junit, idempotencyKey = null } = options
      const mode = live ? 'live' : 'recorded'
      return withEngine(async () => {
        const { checkRunId } = await begin({ mode, configurations, idempotencyKey })
        const onTry = isJson ? () => undefined : follow.printTry
        const run = await follow.followCheckRun(ctx, checkRunId, onTry)
        if (junit !== undefined) await writeJunit(junit, run)
        return {
          json: run,
          text: () => follow.printVerdict(run),
          exitCode: follow.exitCodeOfChecks(run),
        }
      })
    },
  })
}

type Wanted = {
  mode: 'live' | 'recorded'
  configurations: string[] | undefined
  idempotencyKey: string | null
}

/** Returns what runs the check of this name or id, else the suite of this name. Throws NotFoundError for neither. */
async function runOf(ctx: Ctx, named: string) {
  const { runCheck, runSuite } = await import('@/lib/runs/checks/start-check')
  const { readCheck } = await verbs()
  const found = await readCheck(ctx, { id: named }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null
    throw error
  })
  if (found) return (wanted: Wanted) => runCheck(ctx, { id: found.id, ...wanted })
  const { listSuites } = await import('@/lib/runs/checks/read-check-runs')
  const { suites } = await listSuites(ctx, {})
  if (suites.some(({ name }) => name === named))
    return (wanted: Wanted) => runSuite(ctx, { suite: named, ...wanted })
  throw new NotFoundError('The check or suite')
}

type Run = Parameters<typeof import('@/lib/doors/cli/runs/junit').junitXml>[0]

async function writeJunit(file: string, run: Run): Promise<void> {
  const { junitXml } = await import('@/lib/doors/cli/runs/junit')
  await terminal()
    .writeFile(file, junitXml(run))
    .catch(() => {
      throw new ValidationError({ '--junit': `${file} cannot be written. Give another file.` })
    })
}

function withWritten(made: Command): Command {
  return made
    .option('--description <text>', 'what it is for')
    .option('--assertions <file>', 'its assertions as YAML or JSON; - reads standard input')
    .option(
      '--judge <configuration>',
      'add a judge: a configuration with another model, which is asked at each try and costs money',
    )
    .option('--rubric <text>', 'what the judge looks for; @FILE reads a file')
    .option('--tries <number>', 'so many runs at each time', wholeNumber(1, 20))
    .option('--passes <number>', 'so many of the tries must pass', wholeNumber(1, 20))
    .option('--suite <name...>', 'suites that it is in; a new name is a new suite')
    .option('--no-suite', 'take it out of all suites')
    .option('--group <name...>', 'groups whose members may see and run it')
    .option('--no-group', 'give it to no group')
}

/** Returns the fields that the options stand for. The verb checks them. `known`: the assertions to which a judge is added. */
async function fieldsOf(
  written: WrittenOptions,
  known: () => Promise<readonly unknown[]>,
): Promise<object> {
  const { assertions: file, judge, rubric, group, suite, ...fields } = written
  const groups = group === false ? [] : Array.isArray(group) ? group : undefined
  const suites = suite === false ? [] : Array.isArray(suite) ? suite : undefined
  const given = file === undefined ? undefined : readYaml(await readFileOrInput(file, maxBytes))
  const added = await judgeOf(judge, rubric)
  const all = Array.isArray(given) ? given : null
  const assertions = added ? [...(all ?? (await known())), added] : given
  return {
    ...fields,
    ...(groups && { groups }),
    ...(suites && { suites }),
    ...(assertions !== undefined && { assertions }),
  }
}

/** Returns the judge that is added; null = none. Throws ValidationError for a judge without a rubric, and the other way round. */
async function judgeOf(configuration: string | undefined, rubric: string | undefined) {
  if (configuration === undefined && rubric === undefined) return null
  if (configuration === undefined)
    throw new ValidationError({ '--judge': 'Name the configuration that judges.' })
  if (rubric === undefined)
    throw new ValidationError({ '--rubric': 'Say what the judge looks for.' })
  const text = rubric.startsWith('@')
    ? (await readFileOrInput(rubric.slice(1), maxBytes)).toString('utf8')
    : rubric
  return { type: 'judge', configuration, rubric: text }
}

/** Returns the assertions that a run proposes. */
async function proposedBy(ctx: Ctx, runId: string) {
  const { readRun } = await import('@/lib/runs/read-run')
  const { copyRun } = await import('@/lib/runs/checks/copy-run')
  return proposeAssertions(copyRun(await readRun(ctx, runId)).state)
}

type Check = Awaited<ReturnType<Awaited<ReturnType<typeof verbs>>['readCheck']>>

function printCheck({ id, name, configuration, leftOut, ...check }: Check): void {
  printLine(visibleText(`${name} (${id})`))
  printLine(visibleText(`Configuration: ${configuration.name}`))
  const recorded = countOf(check.recordings.length, 'recorded call')
  const origin = check.runId === null ? 'imported from a file' : `saved from run ${check.runId}`
  printLine(`${recorded}, ${origin} by ${check.createdByLabel}`)
  if (check.tries > 1) printLine(`At least ${check.passes} of ${check.tries} tries must pass.`)
  for (const sentence of leftOut) printLine(visibleText(sentence))
  for (const assertion of check.assertions) printLine(visibleText(`- ${assertionText(assertion)}`))
}
