import fc from 'fast-check'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type ApprovalRule, ConditionOperator, RuleAction } from '@/lib/protocol/approval'
import { everything, toolAccess } from '@/lib/protocol/tool-access'
import { anySubject, on, remote, storage } from './any-subject'
import { admin } from './run-fixture'

/** The arguments of a call as a model writes them: also such as a tool refuses, and no JSON. */
export const anyArguments = fc.constantFrom(
  '{}',
  '{"x":1}',
  '{"x":"5"}',
  '{"x":"https://example.org/a","path":"/srv/a"}',
  '{"x":[1,{"y":2}]}',
  '{"x":null}',
  '{"x":',
  '[]',
  '{"x":"refuse"}',
  '{"x":"throw"}',
)

const seldom = (name: string) => fc.constantFrom(null, null, null, null, name)

const anyRule: fc.Arbitrary<ApprovalRule> = fc.record({
  id: fc.constant('r'),
  name: fc.constant('Ours'),
  toolName: fc.constantFrom(null, null, 'a', 'b'),
  toolGroup: fc.constantFrom(null, null, null, 'test', 'other'),
  serverName: seldom('s'),
  configurationId: seldom('c'),
  userId: seldom(admin.userId),
  groupId: seldom('g-support'),
  apiKeyId: seldom('k'),
  action: fc.constantFrom(...RuleAction.options),
  fourEyes: fc.boolean(),
  conditions: fc.array(
    fc.record({
      path: fc.constantFrom('$.x', '$.path', '$.x[*].y', '$['),
      operator: fc.constantFrom(...ConditionOperator.options),
      value: fc.constantFrom('1', 'example.org', '/srv', '5'),
    }),
    { maxLength: 2 },
  ),
})

/**
 * A policy with nothing read yet: what a run reads is in its journal. Two of four refuse little else than rules do, and one no more than
 * what a run reads.
 */
export const anyPolicy = fc
  .tuple(anySubject, fc.array(anyRule, { maxLength: 3 }), fc.nat(3))
  .map(([subject, rules, kind]): Subject => {
    const approvalRules = rules.map((rule, place) => ({ ...rule, id: `r${place}` }))
    const policy = { ...subject, approvalRules, untrustedReads: [] }
    if (kind === 0) return policy
    const open = { ...policy, ...opened(subject) }
    return kind === 1 ? { ...open, ...noRules } : open
  })

const noRules = { approvalRules: [], toolApprovals: new Map([['a', false]]), rates: new Map() }

/** Parts of a subject that `opened` leaves as they are. */
type Kept =
  | 'apiKeyId'
  | 'approvalRules'
  | 'toolApprovals'
  | 'rates'
  | 'approvalLifetimeMs'
  | 'untrustedReads'
  | 'fourEyes'
  | 'starters'
  | 'approvers'
  | 'revoked'

function opened({ actor, configuration }: Subject): Omit<Subject, Kept> {
  return {
    frozen: null,
    groupsOff: new Map(),
    overrides: new Map([['a', on]]),
    actor: actor ?? admin,
    selected: null,
    apiKey: null,
    present: storage,
    remote: remote({}, 'a'),
    accounts: new Map(),
    configuration: configuration && {
      ...configuration,
      allowed: toolAccess(everything),
      allowedThen: toolAccess(everything),
      grantedBySkills: null,
      closed: null,
      raisedDataClass: 'secret-adjacent',
    },
  }
}
