import { z } from 'zod'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { describedNouns } from '@/lib/protocol/nouns'
import type { GateName } from '@/lib/protocol/tool'
import type { ValuesOf } from '@/lib/shape/field-codec'
import { choicesOf } from '@/lib/shape/field-shape'
import { nameField } from '@/lib/shape/identifier'
import { type ListingOf, resource } from '@/lib/shape/resource'

/** Gates that a case may name: a freeze and rates are left out of the question. */
const caseGates = [
  'registered',
  'group',
  'enabled',
  'role',
  'configuration',
  'trust-zone',
  'skills',
  'selection',
  'pinned',
  'rule',
  'flow',
] as const satisfies readonly GateName[]

const Expected = z.enum(['allowed', 'asks', 'refused'])
type Expected = z.infer<typeof Expected>

/** Decision that a case expects; completes "The call …". */
export const expectedWords: Record<Expected, string> = {
  allowed: 'starts without a question',
  asks: 'waits for approval',
  refused: 'is refused',
}

/** `gone`: its person, tool or configuration does not exist any more. */
const CaseVerdict = z.enum(['passed', 'failed', 'gone'])
export type CaseVerdict = z.infer<typeof CaseVerdict>

export const verdictWords: Record<CaseVerdict, string> = {
  passed: 'Passed',
  failed: 'Failed',
  gone: 'Gone',
}

const Together = z
  .object({
    userId: z.string().nullable(),
    groupId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    configurationId: z.string().nullable(),
    expects: Expected,
    gate: z.string().nullable(),
  })
  .superRefine(({ userId, groupId, apiKeyId, configurationId, expects, gate }, issues) => {
    if (configurationId === null) {
      const message = 'Pick a configuration.'
      issues.addIssue({ code: 'custom', message, path: ['configurationId'] })
    }
    const named = [userId, groupId, apiKeyId].filter((id) => id !== null)
    if (named.length !== 1) {
      const message = 'Pick one of person, group and API key.'
      issues.addIssue({ code: 'custom', message, path: ['userId'] })
    }
    if (gate !== null && expects !== 'refused') {
      const message = 'Only a case that expects a refusal names a gate.'
      issues.addIssue({ code: 'custom', message, path: ['gate'] })
    }
  })

/** Returns what a gate is called in the form: what refuses by the gate `selection` are the limits of keys. */
export function caseGateTitle(gate: (typeof caseGates)[number]): string {
  return gate === 'selection' ? 'limits of the API key' : gateTitle({ gate })
}

const gateNames = Object.fromEntries(caseGates.map((gate) => [gate, caseGateTitle(gate)]))

/** Decisions that the policy has to come to about single calls, whatever is changed (SPEC C3a). */
export const policyCases = resource({
  ...describedNouns.policyCases,
  about: 'which calls have to start, wait for approval or be refused, whatever is changed',
  fields: {
    name: nameField,
    toolName: {
      kind: 'text',
      label: 'Tool',
      hint: 'Its whole name, such as "fetch_logs".',
      mono: true,
      listed: true,
      searched: true,
      schema: z.string().trim().min(1, 'Name a tool.').max(200),
      option: { name: 'tool', value: 'name', help: 'the tool that is called' },
    },
    arguments: {
      kind: 'textarea',
      codec: 'json',
      label: 'Arguments',
      hint: 'A JSON object, as the model would write it.',
      rows: 4,
      mono: true,
      schema: z
        .record(z.string(), z.unknown(), 'Write a JSON object, such as {"to": "ada@example.org"}.')
        .refine((args) => JSON.stringify(args).length <= 20_000, 'At most 20,000 characters.'),
      defaultValue: {},
      option: { help: 'its arguments, as a JSON object' },
    },
    configurationId: {
      kind: 'reference',
      to: 'configuration',
      as: 'configuration',
      label: 'Configuration',
      listed: true,
      schema: z.uuid('Pick a configuration.').nullable(),
      defaultValue: null,
      option: { help: 'the configuration of the run (identifier or id)' },
    },
    userId: {
      kind: 'reference',
      to: 'user',
      as: 'person',
      label: 'Person',
      hint: 'Whose run it is. Pick a person, a group or an API key.',
      optional: true,
      schema: z.uuid('Pick a person.').nullable(),
      defaultValue: null,
      option: { help: 'the person of the run' },
    },
    groupId: {
      kind: 'reference',
      to: 'group',
      as: 'personGroup',
      label: 'Group of people',
      hint: 'Stands for a member of this group and of no other.',
      optional: true,
      schema: z.uuid('Pick a group.').nullable(),
      defaultValue: null,
      option: { help: 'a member of this group alone' },
    },
    apiKeyId: {
      kind: 'reference',
      to: 'api-key',
      as: 'apiKey',
      label: 'API key',
      hint: 'Stands for its owner, within its limits.',
      optional: true,
      schema: z.uuid('Pick an API key.').nullable(),
      defaultValue: null,
      option: { value: 'prefix', help: 'the API key that starts the run' },
    },
    afterUntrusted: {
      kind: 'checkbox',
      label: 'The run has read what others can write',
      hint: 'Such as a web page. Configurations can refuse calls that write after that, or ask about them.',
      schema: z.boolean(),
      defaultValue: false,
      option: { help: 'the run has read what others can write' },
    },
    expects: {
      kind: 'select',
      label: 'The call',
      choices: choicesOf(expectedWords),
      listed: { head: 'Expected' },
      schema: Expected,
      defaultValue: 'refused',
      option: { value: 'decision', help: 'the decision that the case expects' },
    },
    gate: {
      kind: 'select',
      label: 'Gate that refuses it',
      choices: [{ value: null, label: 'any gate' }, ...choicesOf(gateNames)],
      none: 'any gate',
      schema: z.enum(caseGates).nullable(),
      defaultValue: null,
      option: { value: 'gate', help: 'the gate that has to refuse the call', none: 'any gate' },
    },
  },
  together: Together,
  sorts: ['name', 'verdict'],
  order: 'name',
  /** `verdict`: whether it passes now. `says`: what the policy decides now, as sentences. */
  listed: { verdict: CaseVerdict, says: z.string() },
})

export type PolicyCase = ListingOf<typeof policyCases>

/** A case as it is stored: ids of what it names, null where that is gone. */
export type StoredCase = ValuesOf<typeof policyCases.fields> & { id: string }

/** Decision about a case of now. */
export type JudgedCase = { id: string; name: string; verdict: CaseVerdict; says: string }
