import { z } from 'zod'
import { asksPeople, RuleAction } from '@/lib/protocol/approval'
import { describedNouns } from '@/lib/protocol/nouns'
import { RuleCondition } from '@/lib/protocol/rule-condition'
import type { ValuesOf } from '@/lib/shape/field-codec'
import { Name } from '@/lib/shape/identifier'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'

/**
 * Kind of object that a rule names and this installation does not have (any more): the rule matches no call of new
 * runs.
 */
const Missing = z.enum(['tool', 'group', 'server', 'person', 'api-key'])
export type Missing = z.output<typeof Missing>

/** Effect of a rule on a matching call; completes "A call …". */
export const ruleActionWords: Record<RuleAction, string> = {
  deny: 'is refused',
  ask: 'waits for approval',
  'ask-once': 'waits for approval, once a run',
  observe: 'starts, with a note in the trace',
}

export const missingWords: Record<Missing, string> = {
  tool: 'Tool does not exist',
  group: 'Tool group does not exist',
  server: 'MCP server does not exist',
  person: 'Account is deleted',
  'api-key': 'API key is revoked',
}

type Scope = {
  toolName: string | null
  toolGroup: string | null
  serverName: string | null
  configuration: { name: string } | null
  person: { email: string } | null
  personGroup: { name: string } | null
  apiKey: { name: string; prefix: string } | null
}

/** Returns what a rule applies to, without its conditions: "fetch_logs, in the configuration Support". */
export function scopeWords(scope: Scope): string {
  const { toolName, toolGroup, serverName, configuration, person, personGroup, apiKey } = scope
  const said = (what: unknown, words: string) => (what === null ? [] : [words])
  const tools = [
    toolName ?? 'every tool',
    ...said(toolGroup, `of the group ${toolGroup}`),
    ...said(serverName, `of the MCP server ${serverName}`),
  ].join(' ')
  const runs = [
    ...said(configuration, `in the configuration ${configuration?.name}`),
    ...said(person, `for ${person?.email}`),
    ...said(personGroup, `for members of ${personGroup?.name}`),
    ...said(apiKey, `started with the API key ${apiKey?.name} (${apiKey?.prefix})`),
  ]
  return [tools, ...runs].join(', ')
}

/** The consequence of switching off or deleting a rule. */
export const withoutRule: Record<RuleAction, string> = {
  deny: 'Calls that match it are no longer refused, unless another rule refuses them.',
  ask: 'Calls that match it no longer wait for approval, unless another rule matches. Calls that already wait keep waiting.',
  'ask-once':
    'Calls that match it no longer wait for approval, unless another rule matches. Calls that already wait keep waiting.',
  observe: 'Calls that match it are no longer noted in the trace.',
}

/** Returns what happens to a call that a rule matches: "waits for approval; whoever started the run may not decide". */
export function actionWords({ action, fourEyes }: Pick<Rule, 'action' | 'fourEyes'>): string {
  return fourEyes ? `${ruleActionWords[action]}; ${secondPersonWords}` : ruleActionWords[action]
}

const secondPersonWords = 'whoever started the run may not decide'

const Asking = z
  .object({ action: RuleAction, fourEyes: z.boolean() })
  .refine(({ action, fourEyes }) => !fourEyes || asksPeople(action), {
    path: ['fourEyes'],
    error:
      'Only a rule that asks can require four eyes: nobody decides about calls that it refuses or notes.',
  })

/** Rules for calls (SPEC G-A, G-D): every field that is set must match, and so must all conditions; null: any. */
export const approvalRules = resource({
  ...describedNouns.approvalRules,
  about: 'which calls are refused, need approval or are noted',
  fields: {
    name: {
      kind: 'text',
      label: 'Name',
      hint: 'Shown to the person who decides.',
      schema: Name,
    },
    enabled: switchField((rule) => withoutRule[RuleAction.parse(rule.action)]),
    toolName: {
      kind: 'own',
      label: 'Tool',
      schema: z.string().trim().min(1).max(200).nullable(),
      defaultValue: null,
      option: {
        name: 'tool',
        value: 'name',
        help: 'calls of this tool',
        none: 'calls of any tool',
      },
    },
    toolGroup: {
      kind: 'own',
      label: 'Tool group',
      schema: z.string().trim().min(1).max(100).nullable(),
      defaultValue: null,
      option: {
        name: 'group',
        value: 'name',
        help: 'calls of the tools of this group',
        none: 'calls of the tools of any group',
      },
    },
    serverName: {
      kind: 'own',
      label: 'MCP server',
      schema: z.string().trim().min(1).max(100).nullable(),
      defaultValue: null,
      option: {
        name: 'server',
        value: 'name',
        help: 'calls of the tools of this MCP server',
        none: 'calls of tools with or without a server',
      },
    },
    configurationId: {
      kind: 'reference',
      to: 'configuration',
      as: 'configuration',
      label: 'Configuration',
      schema: z.uuid('Pick a configuration.').nullable(),
      defaultValue: null,
      option: {
        help: 'runs with this configuration (identifier or id)',
        none: 'runs with any configuration',
      },
    },
    userId: {
      kind: 'reference',
      to: 'user',
      as: 'person',
      label: 'Person',
      schema: z.uuid('Pick a person.').nullable(),
      defaultValue: null,
      option: { help: 'runs of this person', none: 'runs of any person' },
    },
    groupId: {
      kind: 'reference',
      to: 'group',
      as: 'personGroup',
      label: 'Group of people',
      schema: z.uuid('Pick a group.').nullable(),
      defaultValue: null,
      option: {
        help: 'runs of the members of this group',
        none: 'runs of people in any group or none',
      },
    },
    apiKeyId: {
      kind: 'reference',
      to: 'api-key',
      as: 'apiKey',
      label: 'API key',
      schema: z.uuid('Pick an API key.').nullable(),
      defaultValue: null,
      option: {
        value: 'prefix',
        help: 'runs that this API key starts (the start of the key, or its id)',
        none: 'runs that anything starts',
      },
    },
    action: {
      kind: 'select',
      label: 'A call that matches',
      choices: [
        { value: 'ask', label: ruleActionWords.ask },
        {
          value: 'ask-once',
          label: ruleActionWords['ask-once'],
          hint: 'One unchanged approval covers further matching calls of that tool and run.',
        },
        { value: 'deny', label: ruleActionWords.deny },
        {
          value: 'observe',
          label: ruleActionWords.observe,
          hint: 'To try a rule before it asks or refuses.',
        },
      ],
      schema: RuleAction,
      defaultValue: 'ask',
      option: {
        value: 'action',
        help: 'what happens to a call that matches; of several rules, the most restrictive counts',
      },
    },
    fourEyes: {
      kind: 'checkbox',
      label: 'Whoever started the run may not decide (four eyes)',
      hint: 'Calls that already wait keep this.',
      schema: z.boolean(),
      defaultValue: false,
      option: { help: 'whoever started the run may not decide (four eyes)' },
    },
    conditions: {
      kind: 'own',
      label: 'Conditions',
      schema: z.array(RuleCondition).max(10, 'At most 10 conditions.'),
      defaultValue: [],
      option: {
        name: 'condition',
        help: "'PATH OPERATOR VALUE', as in '$.to ends-with @example.org'",
        none: 'any arguments',
      },
    },
    notYet: {
      kind: 'checkbox',
      label: 'The tool, group or server does not exist yet',
      schema: z.boolean(),
      defaultValue: false,
      isConfirmation: true,
      option: { help: 'store it although its tool, group or server does not exist yet' },
    },
  },
  together: Asking,
  sorts: ['name', 'state', 'added-by', 'changed'],
  order: 'name',
  /** `missing`: what it names that does not exist now. The others are among them because answers have them there. */
  listed: {
    configurationId: z.string().nullable(),
    configurationName: z.string().nullable(),
    createdAt: z.string(),
    missing: z.array(Missing),
    observed: z.object({ calls: z.number(), lastAt: z.string().nullable() }).nullable().meta({
      description:
        'Of a rule that only observes: how many calls it matched since it was made or changed, and when the last one ended.',
    }),
  },
})

export type Rule = ListingOf<typeof approvalRules>

export const asksForNothing = 'Pick what the rule is about, or add a condition.'

type Asked = Omit<
  ValuesOf<typeof approvalRules.fields>,
  'name' | 'enabled' | 'action' | 'fourEyes' | 'notYet'
>

/** Returns whether a rule is about anything less than every call. */
export function asksForSomething(rule: Asked): boolean {
  const { toolName, toolGroup, serverName, configurationId, userId, groupId, apiKeyId } = rule
  const named = [toolName, toolGroup, serverName, configurationId, userId, groupId, apiKeyId]
  return rule.conditions.length > 0 || named.some((each) => each !== null)
}

/** A rule that is tried and not stored. */
export const TriedRule = approvalRules.Create.refine(asksForSomething, asksForNothing)
export type TriedRule = z.input<typeof TriedRule>
