import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { TaskVariable, type TaskVariableType } from './task-form'
import {
  checkTaskVariables,
  escapeTemplate,
  parseTemplate,
  previewTask,
  renderTask,
  templateNames,
  variableGaps,
} from './task-values'

function variable(name: string, facts: Partial<TaskVariable> = {}): TaskVariable {
  return TaskVariable.parse({ name, ...facts })
}

const who = { prompt: 'Hello {{ who }}, meet {{who}}.', variables: [variable('who')] }

/** Returns what is wrong with one value of a variable, or nothing. */
function errorOf(facts: Partial<TaskVariable>, value: string | number | boolean) {
  const made = renderTask(
    { prompt: 'x {{a}}', variables: [variable('a', facts)] },
    value === '' ? {} : { a: value },
  )
  return made.type === 'invalid' ? made.errors.get('a') : null
}

describe('a prompt with variables', () => {
  it('gets each value wherever its name stands', () => {
    expect(renderTask(who, { who: 'Ada' })).toMatchObject({ prompt: 'Hello Ada, meet Ada.' })
  })

  it('says what is missing, unknown or cannot be understood', () => {
    const errors = (values: Record<string, string>, task = who) => {
      const made = renderTask(task, values)
      return made.type === 'invalid' ? Object.fromEntries(made.errors) : {}
    }
    expect(errors({})).toEqual({ who: 'Enter a value.' })
    expect(errors({ who: 'a', whom: 'b' }).whom).toContain(
      'no variable "whom". Its variables are: who.',
    )
    expect(errors({ who: 'a' }, { ...who, prompt: '{{other}}' })['']).toContain('{{other}}')
    expect(errors({ who: 'a' }, { ...who, prompt: 'a\n{{1x}}' })['']).toContain('Line 2: "{{1x}}"')
    expect(errors({ who: 'a' }, { ...who, prompt: '{{who}} {{open' })['']).toContain('{{open')
    expect(
      Object.keys(errors(JSON.parse('{"who":"a","__proto__":"b","constructor":"c"}'))),
    ).toEqual(['__proto__', 'constructor'])
    expect(
      errors(
        { who: 'x'.repeat(100_000) },
        {
          prompt: '{{who}}{{who}}{{who}}',
          variables: [variable('who', { type: 'long-text' })],
        },
      )[''],
    ).toContain('longer than 200,000')
  })

  it('is read in time that grows with its length alone', () => {
    for (const text of ['{{', '{{a', '}}', '{', '{{a}}']) {
      const repeated = (times: number) => text.repeat(times)
      expect(timeGrowth(8_000, repeated, parseTemplate), text).toBeLessThan(mostGrowth)
    }
  })

  it('shows what is there so far', () => {
    const task = { prompt: '{{a}} {{b}} {{{{', variables: [variable('a'), variable('b')] }
    expect(previewTask(task, { a: 'x' })).toBe('x {{b}} {{')
  })

  it.each<[TaskVariableType, (string | number | boolean)[], (string | number | boolean)[]]>([
    ['text', ['a', ' a {{b}} '], ['a\nb', 'x'.repeat(501), '']],
    ['long-text', ['a\nb'], ['x'.repeat(100_001), ' ']],
    ['number', [1, '-0.5', '1e3', ' 7 '], ['a', '1,5', '1e999', '0x10', '']],
    ['boolean', [true, 'false', ''], ['yes', 1]],
    ['choice', ['a', 'b'], ['c', 'A', '']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', 'today', '']],
  ])('takes as %s what is one', (type, good, bad) => {
    const facts = { type, options: type === 'choice' ? ['a', 'b'] : [] }
    expect(good.map((value) => errorOf(facts, value))).toEqual(good.map(() => null))
    for (const value of bad)
      expect(errorOf(facts, value), String(value)).toEqual(expect.any(String))
  })

  it('falls back to the default, and leaves out what nobody needs', () => {
    const prompt = 'a{{a}}b{{b}}c{{c}}'
    const variables = [
      variable('a', { default: 'A' }),
      variable('b', { required: false }),
      variable('c', { type: 'boolean' }),
    ]
    expect(renderTask({ prompt, variables }, { a: ' ' })).toMatchObject({ prompt: 'aAbcfalse' })
  })
})

const names = ['a', 'b', 'long_name']
const anything = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('{', '}', '{{a}}', '{{b}}', 'x', '\n', '{{{{', '$&') }),
)
const fields = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: anything }),
    fc.record({ type: fc.constant('variable' as const), name: fc.constantFrom(...names) }),
  ),
)

describe('any prompt', () => {
  it('gives each value once and as it is, whatever stands in it', () => {
    fc.assert(
      fc.property(fields, fc.tuple(anything, anything, anything), (parts, texts) => {
        const text = new Map(names.map((name, index) => [name, `${texts[index] ?? ''}.`]))
        const prompt = `.${parts.map((part) => (part.type === 'text' ? `${escapeTemplate(part.text)} ` : `{{${part.name}}}`)).join('')}`
        const wanted = `.${parts.map((part) => (part.type === 'text' ? `${part.text} ` : text.get(part.name))).join('')}`
        const variables = names.map((name) => variable(name, { type: 'long-text' }))
        expect(renderTask({ prompt, variables }, Object.fromEntries(text))).toMatchObject({
          prompt: wanted,
        })
      }),
    )
  })

  it('is as it was once its text is escaped', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { parts, faults } = parseTemplate(escapeTemplate(text))
        expect(faults).toEqual([])
        expect(parts.map((part) => (part.type === 'text' ? part.text : null)).join('')).toBe(text)
      }),
    )
  })

  it('is read without a throw, and names only what it holds', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const template = parseTemplate(text)
        expect(templateNames(template).every((name) => text.includes(name))).toBe(true)
        expect(typeof previewTask({ prompt: text, variables: [] }, {})).toBe('string')
      }),
    )
  })
})

describe('variables beside their prompt', () => {
  it('are those that it uses, no more and no less', () => {
    expect(variableGaps('{{a}} {{b}} {{{{c}}', [{ name: 'b' }, { name: 'd' }])).toEqual({
      missing: ['a'],
      unused: ['d'],
    })
    expect(checkTaskVariables('{{a}}', [variable('a')])).toEqual(new Map())
    const faults = checkTaskVariables('{{a}} {{b}}', [
      variable('a', { type: 'choice', default: 'z' }),
      variable('a', { type: 'choice', options: ['x', 'x'] }),
      variable('c', { type: 'number', default: 'one' }),
    ])
    expect([...faults.keys()]).toEqual([
      'prompt',
      'variables.0.options',
      'variables.0.default',
      'variables.1.name',
      'variables.1.options',
      'variables.2.name',
      'variables.2.default',
    ])
  })
})
