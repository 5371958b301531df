import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { ExportFormat } from '@/lib/edge/download'
import type { Ctx } from '@/lib/kernel/context'
import { Moment } from '@/lib/kernel/moment'
import { CallOutcome, callProblemWords } from '@/lib/protocol/run/call-facts'
import { EndReason } from '@/lib/protocol/run/run-event'
import { GateName } from '@/lib/protocol/tool'
import type { RunView, ViewQuery } from '@/lib/runs/lists/view-schemas'
import { type RunRow, type RunSortKey, RunSource, runSortKeys } from '@/lib/runs/schemas'
import { type SortOrder, sortBy, sortParts } from '@/lib/shape/sort-order'
import { formatCostMicroUsd } from '@/lib/words/format'
import { dateIn, dayStart } from '@/lib/words/zone-days'
import { command } from '../command'
import { cutLine, formatOption, printLine, printTable, writePieces } from '../print'

type FilterOptions = Partial<Record<(typeof same)[number], string>> & {
  failed?: true
  since?: string
  until?: string
  user?: string
  configuration?: string
  task?: string
  model?: string
  connection?: string
  view?: string
  sort?: RunSortKey
  reverse?: boolean
}
/** Options that the filter has by the same names. */
const same = [
  'status',
  'reason',
  'tool',
  'outcome',
  'gate',
  'source',
  'tag',
  'search',
  'minCost',
  'maxCost',
  'minSeconds',
  'maxSeconds',
] as const

/** Adds the commands that find runs. */
export function addRunListCommands(run: Command): void {
  command<FilterOptions & { limit: number; page: number }>(run, 'list', {
    description: 'list runs, the newest first: all of them for admins, their own for members',
    options: (made) =>
      withFilter(made)
        .option('--limit <number>', 'maximum number of runs', wholeNumber(1, 200), 50)
        .option('--page <number>', 'which of several pages', wholeNumber(1, 100_000), 1),
    work: async ({ ctx, options }) => {
      const { listRuns } = await import('@/lib/runs/lists/list-runs')
      const { limit: pageSize, page } = options
      const listed = await listRuns(ctx, { ...(await filterOf(ctx, options)), pageSize, page })
      return { json: listed, text: () => printRuns(listed) }
    },
  })
  command<FilterOptions & { format: ExportFormat }>(run, 'export', {
    description: 'write all matching runs to standard output (the export is audited)',
    json: false,
    options: (made) => withFilter(made).addOption(formatOption()),
    work: async ({ ctx, options }) => {
      const { exportRuns } = await import('@/lib/runs/lists/export-runs')
      const { format } = options
      const pieces = await exportRuns(ctx, { ...(await filterOf(ctx, options)), format })
      return { text: () => writePieces(pieces) }
    },
  })
  addViewsCommand(run)
}

/** Adds the command that lists the saved views. */
function addViewsCommand(run: Command): void {
  command(run, 'views', {
    description: 'list the saved views of runs: your own, and those that admins share',
    work: async ({ ctx }) => {
      const { listRunViews } = await import('@/lib/runs/lists/run-views')
      const { views } = await listRunViews(ctx, {})
      return { json: views, text: () => printViews(views) }
    },
  })
}

function printViews(views: readonly RunView[]): void {
  printTable(
    ['NAME', 'OWNER', 'SHARED', 'FILTER', 'ID'],
    views.map(({ name, by, shared, query, id }) => [
      cutLine(name),
      by,
      shared ? 'yes' : 'no',
      cutLine(
        Object.entries(query)
          .flatMap(([field, value]) => (value === undefined ? [] : [`${field}=${value}`]))
          .join(' '),
      ),
      id,
    ]),
  )
}

type Listed = { rows: RunRow[]; total: number; capped: boolean; page: number; pageSize: number }

function printRuns({ rows, total, capped, page, pageSize }: Listed): void {
  printTable(
    ['RUN', 'STARTED', 'STATE', 'CONFIGURATION', 'MODEL', 'PERSON', 'COST', 'PROMPT'],
    rows.map((row) => [
      row.runId,
      row.createdAt,
      [row.endReason ?? row.status, callProblemWords(row.callTrouble)].filter(Boolean).join(', '),
      row.configurationName,
      row.model?.name ?? '-',
      row.userName,
      formatCostMicroUsd(row.costMicroUsd),
      cutLine(row.prompt),
    ]),
  )
  const all = capped ? `More than ${total}` : total
  if (page * pageSize < total) printLine(`${all} in total. Continue with --page ${page + 1}`)
}

function withFilter(made: Command): Command {
  const one = (flags: string, description: string, choices: readonly string[]) =>
    new Option(flags, description).choices(choices)
  return made
    .option(
      '--view <name>',
      'a saved view (name or id); other options count more than what it says',
    )
    .option('--failed', 'only runs that failed, or of which a call failed, was denied or timed out')
    .addOption(
      one('--status <status>', 'where they stand', ['queued', 'running', 'waiting', 'ended']),
    )
    .addOption(one('--reason <reason>', 'why they ended', EndReason.options))
    .option('--since <time>', 'earliest start: today, 7d, a date or a time with its zone', since)
    .option(
      '--until <time>',
      'latest start: a date, which is included, or a time with its zone',
      until,
    )
    .option('--user <email>', 'only runs of this person')
    .option('--configuration <name>', 'only runs of this configuration (identifier or id)')
    .option('--task <id>', 'only runs of this task')
    .option('--model <name>', 'only runs that asked this model (its name at the provider, or id)')
    .option('--connection <name>', 'only runs that asked this connection (name or id)')
    .option('--tool <name>', 'only runs that called this tool')
    .addOption(
      one('--outcome <outcome>', 'only runs with a call that ended so', CallOutcome.options),
    )
    .addOption(
      one('--gate <gate>', 'only runs with a call that this gate refused', GateName.options),
    )
    .addOption(one('--source <source>', 'where they were started', RunSource.options))
    .option('--tag <tag>', 'only runs with this tag')
    .option(
      '--search <text>',
      'part of the prompt, or of the name of configuration, task or person',
    )
    .option('--min-cost <usd>', 'lowest cost in US dollars')
    .option('--max-cost <usd>', 'highest cost in US dollars')
    .option('--min-seconds <number>', 'shortest duration')
    .option('--max-seconds <number>', 'longest duration')
    .addOption(one('--sort <key>', 'order (started); figures begin with the highest', runSortKeys))
    .option('--reverse', 'the other way round')
}

const Id = z.uuid()

/** Returns the filter of the list. Names that only admins know are looked up. */
async function filterOf(ctx: Ctx, options: FilterOptions) {
  const { failed, since: from, until: to, task, user, configuration, model, connection } = options
  const { findUser } = await import('@/lib/domains/users/reads')
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  const { findModel } = await import('@/lib/domains/models/reads')
  const { findConnection } = await import('@/lib/domains/connections/reads')
  const idOf = async (
    name: string | undefined,
    find: (ctx: Ctx, name: string) => Promise<{ id: string }>,
  ) => (name === undefined || Id.safeParse(name).success ? name : (await find(ctx, name)).id)
  const given = {
    ...Object.fromEntries(same.map((name) => [name, options[name]])),
    ...(failed && { failure: 'any' }),
    from,
    to,
    task,
    user: await idOf(user, findUser),
    configuration: await idOf(configuration, findConfiguration),
    model: await idOf(model, findModel),
    connection: await idOf(connection, findConnection),
  }
  const query = options.view === undefined ? {} : await viewQuery(ctx, options.view)
  const filters = Object.entries(given).filter(([, value]) => value !== undefined)
  const { RunFilter } = await import('@/lib/runs/schemas')
  const { parseInput } = await import('@/lib/kernel/parse-input')
  const sort = orderOf(options, query.sort)
  const WithoutPage = RunFilter.omit({ page: true, pageSize: true, cursor: true })
  return parseInput(WithoutPage, { ...query, ...Object.fromEntries(filters), sort })
}

/** Returns what a view says. Days begin at midnight in the zone of this process, unless it says another. */
async function viewQuery(ctx: Ctx, name: string): Promise<Partial<ViewQuery>> {
  const { findRunView } = await import('@/lib/runs/lists/run-views')
  return { zone: ownZone(), ...(await findRunView(ctx, name)).query }
}

const byName: readonly RunSortKey[] = ['configuration', 'user']

/** Returns the order that the options ask for, or that of the view, or the newest first. */
function orderOf(
  { sort, reverse = false }: FilterOptions,
  ofView: SortOrder<RunSortKey> = '-started',
): SortOrder<RunSortKey> {
  const { key, direction } = sortParts(ofView)
  const rises = sort === undefined ? direction === 'asc' : byName.includes(sort)
  return sortBy(sort ?? key, rises === reverse ? 'desc' : 'asc')
}

const day = /^\d{4}-\d\d-\d\d$/

/** Returns when a period, a date or a time begins, in the zone of this process. */
function since(text: string): string {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  const zone = ownZone()
  const today = dateIn(zone, new Date())
  if (text === 'today') return dayStart(zone, today).toISOString()
  if (days) return dayStart(zone, today, 1 - Number(days)).toISOString()
  return momentOf(text, 0)
}

/** Returns the end of a date, or a time as it is. */
function until(text: string): string {
  return momentOf(text, 1)
}

function momentOf(text: string, daysLater: number): string {
  if (day.test(text) && !Number.isNaN(Date.parse(text))) {
    return dayStart(ownZone(), text, daysLater).toISOString()
  }
  if (Moment.safeParse(text).success) return text
  throw new InvalidArgumentError(
    'Give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.',
  )
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
