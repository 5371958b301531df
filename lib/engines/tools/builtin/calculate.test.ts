import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import tool from './calculate'

async function resultOf(expression: string): Promise<string> {
  const { content } = await callToolDirectly(tool, { expression })
  return String(Object(content).result)
}

test.each([
  ['0.1 + 0.2', '0.3'],
  ['round(19.99 * 1.19, 2)', '23.79'],
  ['2 + 3 * 4', '14'],
  ['(2 + 3) * 4', '20'],
  ['-2^2', '-4'],
  ['2^3^2', '512'],
  ['2^-1', '0.5'],
  ['2**10', '1024'],
  ['6 × 7 ÷ 2 − 1', '20'],
  ['15% * 80', '12'],
  ['200 + 10%', '200.1'],
  ['1e3 / 8', '125'],
  ['1_000_000 * 3', '3000000'],
  ['.5 + 1', '1.5'],
  ['1/3', '0.3333333333333333333333333333333333333333'],
  ['mod(-7, 3)', '-1'],
  ['round(2.5)', '3'],
  ['round(-2.5)', '-3'],
  ['floor(-1.5) + ceil(1.2)', '0'],
  ['MAX(1, 7, 3) - min(4, 2)', '5'],
  ['mean(1, 2, 3, 4)', '2.5'],
  ['sum(1.1, 2.2, 3.3)', '6.6'],
  ['sqrt(2)', '1.41421356237309504880168872420969807857'],
  ['ln(e)', '1'],
  ['1 / 3 * 3', '1'],
  ['log10(1000)', '3'],
  ['abs(-pi)', '3.141592653589793238462643383279502884197'],
  ['9007199254740993 + 0', '9007199254740993'],
  ['10^50', '1e+50'],
  ['--3', '3'],
])('%s is %s', async (expression, result) => {
  expect(await resultOf(expression)).toBe(result)
})

test.each([
  ['1/0', 'divides by zero'],
  ['mod(1, 0)', 'divides by zero'],
  ['sqrt(-1)', 'no real number'],
  ['(-8)^(1/3)', 'no real number'],
  ['9^9^9^9', 'larger than'],
  ['10^10000 * 10', 'larger than'],
  ['1 +', 'ends too early'],
  ['', 'expression'],
  ['(1', 'ends too early'],
  ['1)', '")" cannot stand here (character 2)'],
  ['1 2', '"2" cannot stand here (character 3)'],
  ['10 % 3', '% means percent'],
  ['constructor(1)', '"constructor" is not known'],
  ['__proto__', 'cannot be read'],
  ['process(1)', '"process" is not known'],
  ['process.exit()', '"." cannot be read (character 8)'],
  ['sqrt', 'needs its values in parentheses'],
  ['sqrt(1, 2)', '"sqrt" takes 1 values, not 2'],
  ['1,234 + 1', '"," cannot stand here'],
  ['2 $ 3', '"$" cannot be read (character 3)'],
  ['round(1, 99)', '0 to 40'],
  [`${'('.repeat(400)}1${')'.repeat(400)}`, 'nested too deeply'],
])('%s is refused with words that help', async (expression, words) => {
  await expect(resultOf(expression)).rejects.toThrow(words)
})

test('sums and products of whole numbers are exact', async () => {
  const whole = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
  await fc.assert(
    fc.asyncProperty(whole, whole, whole, async (a, b, c) => {
      expect(await resultOf(`(${a}) * (${b}) + (${c})`)).toBe(String(a * b + c))
    }),
    { numRuns: 300 },
  )
})

test('any expression ends with a number or a sentence', async () => {
  const parts = ['1', '2.5', '+', '-', '*', '/', '^', '%', '(', ')', ',', 'sqrt', 'max', 'e', ' ']
  const text = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 2 })), { maxLength: 40 })
    .map((pieces) => pieces.join('').slice(0, 1_000))
    .filter((each) => each !== '')
  await fc.assert(
    fc.asyncProperty(text, async (expression) => {
      const answer = await resultOf(expression).catch((error: unknown) => error)
      if (answer instanceof Error) expect(answer.constructor.name).toBe('ToolError')
      else expect(answer).toMatch(/^-?\d+(\.\d+)?(e[+-]\d+)?$/)
    }),
    { numRuns: 500 },
  )
})
