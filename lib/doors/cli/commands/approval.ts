import type { Command } from 'commander'
import type { DecideApproval } from '@/lib/domains/approvals/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { nouns } from '@/lib/nouns'
import type { ApprovalRow } from '@/lib/runs/approvals/list-approvals'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printLine, printTable } from '../print'
import { resourceCommands } from '../resource-commands'
import { approvalRuleCommands } from './approval-rule'

const approvals = () => import('@/lib/runs/approvals/list-approvals')

const example = `
Let a person approve each call that reads debug lines:
  toolgate approval rule add --name "Debug lines" --tool fetch_logs \\
    --condition '$.level equals debug'
  toolgate approval list
  toolgate approval deny ID --message "Warnings are enough."`

const maxArgumentBytes = 1024 * 1024

type DecideOptions = { hash?: string; message?: string }
type EditOptions = DecideOptions & { arguments: string }

export function addApprovalCommands(program: Command): void {
  const approval = program
    .command('approval')
    .description('calls waiting for approval, and the rules that say which calls wait')
    .addHelpText('after', example)
  addList(approval)
  addShow(approval)
  for (const [type, description] of [
    ['approve', 'run the call as the model wrote it'],
    ['deny', 'deny the call; the model reads the message'],
  ] as const) {
    command<DecideOptions>(approval, type, {
      description,
      args: { '<id>': 'id of the approval' },
      options: withDecision,
      work: ({ ctx, args: [id = ''], options }) =>
        decide(ctx, id, options.hash, { type, message: options.message }),
    })
  }
  command<EditOptions>(approval, 'edit', {
    description: 'run the call with other arguments',
    args: { '<id>': 'id of the approval' },
    options: (made) =>
      withDecision(made).requiredOption(
        '--arguments <json>',
        'new arguments; - reads standard input',
      ),
    work: async ({ ctx, args: [id = ''], options: { hash, message, arguments: given } }) => {
      const argumentsText = given === '-' ? await readArguments() : given
      return decide(ctx, id, hash, { type: 'edit', argumentsText, message })
    },
  })
  resourceCommands(approval, nouns.approvalRules, approvalRuleCommands)
}

function addList(approval: Command): void {
  command<{ all?: boolean; mine?: boolean }>(approval, 'list', {
    description: 'list the waiting calls, oldest first',
    options: (made) =>
      made
        .option('--all', 'also list decided calls')
        .option('--mine', 'only those that wait and that you may decide'),
    work: async ({ ctx, options: { all, mine } }) => {
      const status = all ? ('all' as const) : ('pending' as const)
      const filter = { status, pageSize: 100, ...(mine && { who: 'me' as const }) }
      const { approvals: rows, total } = await (await approvals()).listApprovals(ctx, filter)
      return {
        json: rows,
        text: () => {
          printTable(
            ['ID', 'STATUS', 'TOOL', 'ARGUMENTS', 'RULE', 'STARTED BY', 'EXPIRES'],
            rows.map((row) => [
              row.approvalId,
              row.status,
              row.toolName,
              cutLine(row.editedArguments ?? row.argumentsText),
              row.once ? `${row.ruleName} (once a run)` : row.ruleName,
              row.userEmail,
              row.expiresAt,
            ]),
          )
          if (total > rows.length) printLine(`Showing ${rows.length} of ${total}.`)
        },
      }
    },
  })
}

function addShow(approval: Command): void {
  command(approval, 'show', {
    description: 'show a call: what it asks for, for whom, and what its run did before',
    args: { '<id>': 'id of the approval' },
    work: async ({ ctx, args: [id = ''] }) => {
      const found = await requireApproval(ctx, id)
      return { json: found, text: () => printTable(['FACT', 'VALUE'], factsOf(found)) }
    },
  })
}

function factsOf(row: ApprovalRow): string[][] {
  const { context, editedArguments } = row
  const facts = [
    ['tool', row.toolName],
    ['status', row.status],
    ['arguments', row.argumentsText],
    ['run with', editedArguments ?? ''],
    ['hash', row.argumentsHash],
    ['rule', row.once ? `${row.ruleName} (once a run)` : row.ruleName],
    ['four eyes', row.fourEyesRule === null ? '' : `required by the rule ${row.fourEyesRule}`],
    ['run', row.runId],
    ['started by', row.userEmail],
    ['prompt', cutLine(row.runPrompt)],
    ['expires', row.expiresAt],
    ['decided by', row.decidedByLabel ?? ''],
    ['message', row.message],
    ['calls before', listOf(context?.calls, ({ toolName, outcome }) => `${toolName} (${outcome})`)],
    [
      'untrusted reads',
      [
        ...(context?.notesInPrompt
          ? [`${countOf(context.notesInPrompt, 'note')} in the prompt`]
          : []),
        ...(context?.untrusted ?? []).map(({ toolName, server }) =>
          server === null ? toolName : `${toolName} (server ${server})`,
        ),
      ].join(', '),
    ],
  ]
  return facts.filter(([, value]) => value !== '')
}

function listOf<T>(items: readonly T[] = [], words: (item: T) => string): string {
  return items.map(words).join(', ')
}

function withDecision(made: Command): Command {
  return made
    .option('--hash <sha256>', 'fail if the arguments of the call have another hash')
    .option('--message <text>', 'reason')
}

async function readArguments(): Promise<string> {
  return (await import('@/lib/doors/cli/input/read-input')).readStandardInput(maxArgumentBytes)
}

/**
 * Decides about a call. Without a hash, the decision is about the current arguments, which do not change while it
 * waits.
 */
async function decide(
  ctx: Ctx,
  id: string,
  hash: string | undefined,
  decision: DecideApproval['decision'],
) {
  const { decideApproval } = await import('@/lib/runs/approvals/decide-approval')
  const { approvalId, argumentsHash: known } = await requireApproval(ctx, id)
  const argumentsHash = hash ?? known
  const decided = await decideApproval(ctx, { approvalId, argumentsHash, decision })
  return { json: decided, text: `The call is ${decided.status}.` }
}

async function requireApproval(ctx: Ctx, id: string): Promise<ApprovalRow> {
  const { parseId } = await import('@/lib/kernel/parse-id')
  const approvalId = parseId(id, 'The approval')
  const approval = await (await approvals()).findApproval(ctx, { approvalId })
  if (!approval) throw new NotFoundError('The approval')
  return approval
}
