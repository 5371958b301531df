import { unknownNames } from '@/lib/domains/approvals/rule-names'
import { approvalRules, asksForNothing, asksForSomething } from '@/lib/domains/approvals/shape'
import type { Values } from '@/lib/edge/resource-values'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { RuleAction } from '@/lib/protocol/approval'
import { defaultsOf } from '@/lib/shape/field-codec'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { knownNames } from '@/lib/toolset/policy/known-names'
import type { Site } from './handler'
import { resourceHandler } from './resource-handler'
import type { EntryOf, GivenOf } from './site-file'

type Entry = EntryOf<'approvalRules'>
type Given = GivenOf<'approvalRules'>

const handler = resourceHandler('approvalRules', phaseOf)

/**
 * Rules, those that are switched off, too. What makes one milder is written last, everything else with the other objects. A file
 * says of each condition whether it is loose, so that one that is applied again changes nothing.
 */
export const ruleHandler: typeof handler = {
  ...handler,
  work: (change) => {
    const { conditions } = change.given
    const said = conditions?.map(({ loose = false, ...condition }) => ({ ...condition, loose }))
    return handler.work({
      ...change,
      given: { ...change.given, ...(said && { conditions: said }) },
    })
  },
}

function phaseOf(field: string, { before, given }: { before: Values; given: Values }) {
  const isMilder: Record<string, () => boolean> = {
    enabled: () => given.enabled === false,
    action: () => becomesMilder(before, given),
    // A rule that refuses or notes calls has no four eyes, so they change together with what it does.
    fourEyes: () =>
      changesAction(before, given) ? becomesMilder(before, given) : given.fourEyes === false,
  }
  return isMilder[field]?.() === true ? 'finish' : 'write'
}

function changesAction({ action }: Values, given: Values): boolean {
  return given.action !== undefined && given.action !== action
}

function becomesMilder(before: Values, given: Values): boolean {
  return changesAction(before, given) && strictness(given) > strictness(before)
}

function strictness({ action }: Values): number {
  return RuleAction.options.indexOf(RuleAction.parse(action))
}

/**
 * Returns why rules of a file cannot be stored, a sentence each: they are about nothing less than every call, or about a tool, a
 * tool group or a server that does not exist, or compare with what nothing can be compared with.
 */
export async function findRuleProblems({ file, state }: Site): Promise<string[]> {
  const coming = new Set(file.servers.map(({ name }) => name))
  const problems: string[] = []
  const known = await knownNames(db())
  for (const given of file.approvalRules) {
    const before = state.approvalRules.get(given.name) ?? null
    const sentences = [
      ...(isAboutSomething(before, given) ? [] : [asksForNothing]),
      ...unknownNames(known, newNames(before, given, coming)),
      ...incomparable(given),
    ]
    problems.push(...sentences.map((sentence) => `The rule ${given.name}: ${sentence}`))
  }
  return problems
}

function isAboutSomething(before: Entry | null, given: Given): boolean {
  const rule = { ...before, ...given }
  return asksForSomething({
    ...defaultsOf(approvalRules.fields),
    ...rule,
    configurationId: rule.configuration ?? null,
    userId: rule.person ?? null,
    groupId: rule.personGroup ?? null,
    apiKeyId: rule.apiKey ?? null,
  })
}

/** Returns what a rule comes to name of tools and servers. What it names already may stay, and a server may come with the file. */
function newNames(before: Entry | null, given: Given, coming: ReadonlySet<string>) {
  const { toolName, toolGroup, serverName } = given
  return {
    ...(toolName !== before?.toolName && { toolName: toolName ?? null }),
    ...(toolGroup !== before?.toolGroup && { toolGroup: toolGroup ?? null }),
    ...(serverName !== before?.serverName &&
      !coming.has(serverName ?? '') && { serverName: serverName ?? null }),
  }
}

function incomparable({ conditions = [] }: Given): string[] {
  try {
    requireComparable(conditions)
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return Object.values(error.fields)
  }
}
