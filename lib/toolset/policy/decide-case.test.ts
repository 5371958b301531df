import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesForCall } from '@/lib/engines/runtime/call/approvals'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { anySubject, anyTool } from '@/tests/support/any-subject'
import { testTool } from '@/tests/support/run-fixture'
import { decideCase, judgeDecision } from './decide-case'

const anyArguments = fc.constantFrom('{}', '{"x":1}', '{"x":"a"}')

test('a case is decided as the gates decide a call that nothing temporary forbids', () => {
  let refused = 0
  fc.assert(
    fc.property(anyTool, anySubject, anyArguments, (meta, subject, argumentsText) => {
      const tool = { ...testTool(meta.name), ...meta }
      const lasting = { ...subject, frozen: null, accounts: new Map(), rates: new Map() }
      const verdict = decideTool(tool, lasting)
      const decision = decideCase(tool, argumentsText, subject)
      if (!verdict.allowed) {
        refused += 1
        expect(decision).toEqual({ type: 'refused', denial: verdict })
        return
      }
      const [rule] = rulesForCall(tool, { argumentsText }, lasting).filter(
        ({ action }) => action !== 'observe',
      )
      const expected = !rule ? 'allowed' : rule.action === 'deny' ? 'refused' : 'asks'
      expect(decision.type).toBe(expected)
    }),
    { numRuns: 500 },
  )
  expect(refused).toBeGreaterThan(20)
})

const denial = { allowed: false, gate: 'enabled', reason: 'It is off.' } as const

test.each([
  ['allowed', null, { type: 'allowed' }, 'passed', 'The call starts without a question.'],
  ['asks', null, { type: 'asks', rule: 'Mail' }, 'passed', 'The call waits for approval: Mail.'],
  [
    'refused',
    null,
    { type: 'refused', denial },
    'passed',
    'The call is refused (switch): It is off.',
  ],
  [
    'refused',
    'role',
    { type: 'refused', denial },
    'failed',
    'Expected: the call is refused (role). The call is refused (switch): It is off.',
  ],
  [
    'allowed',
    null,
    { type: 'unfit', issues: ['x is missing.'] },
    'failed',
    'Expected: the call starts without a question. The tool does not accept the arguments: x is missing.',
  ],
] as const)(
  'a case that expects %s (%s) says so of %j',
  (expects, gate, decision, verdict, says) => {
    const asked = { id: 'i', name: 'n', expects, gate }
    expect(judgeDecision(asked, decision)).toEqual({ id: 'i', name: 'n', verdict, says })
  },
)
