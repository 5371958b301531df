import 'server-only'
import { z } from 'zod'
import { findUser } from '@/lib/domains/users/reads'
import { verb } from '@/lib/edge/verb'
import { rulesForCall } from '@/lib/engines/runtime/call/approvals'
import { type ParsedArguments, parseArguments } from '@/lib/engines/runtime/call/execute-tool'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { RuleAction } from '@/lib/protocol/approval'
import { decisionWords } from '@/lib/protocol/gate-answers'
import { type ExecutableTool, GateAnswer, Verdict } from '@/lib/protocol/tool'
import { explainTool, readAsked } from '@/lib/toolset/policy/explain-tools'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { startRun } from './start-run'

/** Maximum length of arguments in a prompt that the demo can read. */
const longestArguments = 19_000

const TryTool = z.object({
  name: z.string().max(200),
  arguments: z
    .union([z.string().max(longestArguments), z.record(z.string(), z.unknown())])
    .default({})
    .meta({ description: 'An object, or its JSON as text.' }),
  configuration: z.string().min(1).max(100).nullable().default(null).meta({
    description:
      'Id or identifier: its gates and its trust zone apply. Null = the gates about it are not asked; only for a dry run.',
  }),
  user: z.string().min(1).max(300).nullable().default(null).meta({
    description: 'Id or e-mail address of whose call it would be; only for a dry run.',
  }),
  dryRun: z.boolean().default(false).meta({
    description: 'True = says what would happen and calls nothing.',
  }),
})

/** The demo calls, and then answers. */
const roundsOfCall = 2

/** Decision of the gates about a tried call, and the run that makes it. */
export const TriedTool = z.object({
  name: z.string(),
  configuration: z.object({ id: z.string().nullable(), name: z.string() }).nullable(),
  userId: z.string(),
  /** Why the tool does not take these arguments, as sentences; none = it takes them. */
  issues: z.array(z.string()),
  /** Arguments that the tool would get, with the defaults of those left out; null: it does not take them. */
  sent: z.unknown(),
  verdict: Verdict,
  decision: z.string(),
  gates: z.array(GateAnswer),
  /** The rules that match these arguments, and what else makes the call wait (`id` null), the most restrictive first. */
  rules: z.array(z.object({ id: z.string().nullable(), name: z.string(), action: RuleAction })),
  /** The run that makes the call; null = none was started. */
  runId: z.string().nullable(),
})
export type TriedTool = z.output<typeof TriedTool>

/**
 * A call is that of an ordinary run of the caller in which the demo stands for the models of the configuration: it goes
 * through the same gates, rules and approvals, and is stored and audited like any other, also when it is refused. It throws
 * what the start of a run throws, such as ForbiddenError while the site is frozen.
 */
export const tryTool = verb({
  name: 'tool.try',
  role: 'admin',
  scope: 'runs:write',
  summary:
    'Says what a call of a tool would meet: its arguments with defaults, the gates, the rules; without dryRun, a run makes the call, with the demo in place of its models.',
  input: TryTool,
  output: TriedTool,
  transaction: false,
  run: async ({ ctx }, { name, arguments: given, configuration, user, dryRun }) => {
    const tool = (await loadToolset(db())).get(name)
    if (!tool) throw new NotFoundError('The tool')
    const userId = await userIdOf(ctx, user)
    const { person, subject, snapshot } = await readAsked(ctx, {
      userId,
      configuration,
      selected: null,
    })
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    const met = whatCallMeets(tool, text, { subject, withConfiguration: snapshot !== null })
    const tried: TriedTool = {
      name,
      configuration: snapshot && { id: snapshot.configurationId, name: snapshot.configurationName },
      userId: person.userId,
      ...met,
      runId: null,
    }
    if (dryRun) return tried
    if (person.userId !== ctx.actor.userId) {
      throw new ValidationError({
        user: 'A call is made as yourself. To see what somebody else would get, make a dry run.',
      })
    }
    const chosen = snapshot?.configurationId
    if (!chosen) throw new ValidationError({ configuration: 'A call needs a configuration.' })
    if (met.issues.length > 0) return tried
    const asTry: Ctx = { ...ctx, via: 'try' }
    const { runId } = await startRun(asTry, {
      configuration: chosen,
      tools: [name],
      maxRounds: roundsOfCall,
      prompt: `Call ${name} with ${oneLine(text)}`,
    })
    return { ...tried, runId }
  },
})

type Met = Pick<TriedTool, 'issues' | 'sent' | 'verdict' | 'decision' | 'gates' | 'rules'>

/** Returns what the tool, the gates and the rules say about a call with these arguments. */
export function whatCallMeets(
  tool: ExecutableTool,
  argumentsText: string,
  { subject, withConfiguration }: { subject: Subject; withConfiguration: boolean },
): Met {
  const parsed = parsedOrUnreadable(() => parseArguments(tool, argumentsText))
  const { verdict, answers: gates } = explainTool(tool, subject, { withConfiguration })
  const matching = verdict.allowed ? rulesForCall(tool, { argumentsText }, subject) : []
  return {
    issues: parsed.ok ? [] : parsed.issues,
    sent: parsed.ok ? parsed.args : null,
    verdict,
    decision: decisionWords(verdict, gates),
    gates,
    rules: matching.map(({ id, name, action }) => ({ id, name, action })),
  }
}

async function userIdOf(ctx: Ctx, user: string | null): Promise<string | null> {
  if (user === null || user === ctx.actor.email) return null
  return z.uuid().safeParse(user).success ? user : (await findUser(ctx, user)).id
}

/** Returns what the tool says about arguments. The parser of a tool may throw: what it says is for the log of calls. */
function parsedOrUnreadable(parse: () => ParsedArguments): ParsedArguments {
  try {
    return parse()
  } catch {
    return { ok: false, issues: ['The tool failed while it read the arguments.'] }
  }
}

/** Returns JSON without a line break, also without those that only Unicode knows, because the demo reads line by line. */
function oneLine(text: string): string {
  return JSON.stringify(JSON.parse(text)).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  )
}
