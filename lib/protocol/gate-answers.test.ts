import { describe, expect, test } from 'vitest'
import { answerWords, decisionWords, gateAnswers } from './gate-answers'
import { GateName, gateNames } from './tool'

const withConfiguration = { withConfiguration: true }
const allowed = { allowed: true } as const
const no = (gate: GateName) => ({ allowed: false, gate, reason: 'Because.' }) as const

describe.each(gateNames)('a no of %s', (gate) => {
  const answers = gateAnswers(no(gate), withConfiguration)
  const place = answers.findIndex((each) => each.answer === 'no')

  test('is the only one, and every gate after it was not asked', () => {
    expect(answers[place]?.gate).toBe(gate)
    expect(answers.slice(0, place).every(({ answer }) => answer === 'yes')).toBe(true)
    expect(answers.slice(place + 1).every(({ answer }) => answer === 'not-asked')).toBe(true)
  })

  test('has other words than the yes of the same gate', () => {
    const yes = gateAnswers(allowed, withConfiguration).find((each) => each.gate === gate)
    expect(answers[place]?.words).not.toBe(yes?.words)
  })
})

test('the whole of a yes reads as what is the case', () => {
  const answers = gateAnswers(allowed, withConfiguration)
  expect(decisionWords(allowed, answers)).toBe(
    'Allowed: installed, site not frozen, group on, switched on, role allowed, configuration allows it, data class fits the trust zone, skills allow it, picked for this run, no rule refuses it.',
  )
})

test('without a configuration its gates are not asked, and the sentence says so', () => {
  const answers = gateAnswers(allowed, { withConfiguration: false })
  expect(answerWords(answers, 'not-asked')).toBe('configuration, trust zone, skills, rules')
  expect(decisionWords(allowed, answers)).toBe(
    'Allowed: installed, site not frozen, group on, switched on, role allowed, picked for this run. Gates not asked, because no configuration is picked: configuration, trust zone, skills, rules.',
  )
})

test.each(GateName.options)(
  'a no of %s says its reason once, after the name of the gate',
  (gate) => {
    const words = decisionWords(no(gate), [])
    const [answer] = gateAnswers(no(gate), withConfiguration).filter(
      ({ answer }) => answer === 'no',
    )
    expect(words).not.toContain(answer?.words)
    expect(words.match(/Because\./g)).toHaveLength(1)
  },
)

test('a limit of calls is named where the tool has one, with what is used of it', () => {
  const answers = gateAnswers(allowed, { ...withConfiguration, used: '3 of 10 calls' })
  expect(decisionWords(allowed, answers)).toContain(
    'no rule refuses it, within its limit (3 of 10 calls).',
  )
  const before = gateAnswers(no('rule'), { ...withConfiguration, used: '3 of 10 calls' })
  expect(before.at(-1)).toEqual({ gate: 'rate', answer: 'not-asked', words: 'limit of calls' })
})

test.each(['pinned', 'flow'] as const)('%s is named only where it says no', (gate) => {
  const named = (verdict: Parameters<typeof gateAnswers>[0]) =>
    gateAnswers(verdict, withConfiguration).map((each) => each.gate)
  expect(named(allowed)).not.toContain(gate)
  expect(named(no('role'))).not.toContain(gate)
  expect(named(no(gate))).toContain(gate)
})

test.each(GateName.options.filter((gate) => !(gateNames as readonly string[]).includes(gate)))(
  'a no of %s, which only a run can say, stands alone',
  (gate) => {
    expect(gateAnswers(no(gate), withConfiguration)).toMatchObject([{ gate, answer: 'no' }])
    expect(decisionWords(no(gate), [])).toMatch(/^Denied \([a-z ]+\): Because\.$/)
  },
)
